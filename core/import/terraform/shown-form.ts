import { type Fields, isFields, type Json, own, textIn } from "../../json.ts";
import { isOfProvider } from "./resource-types.ts";
import { headOf, idIn, keyIn, type ReportMistake, type TerraformState } from "./state-resource.ts";

/** Reads a state as `terraform show -json` prints it: version 1. A state with nothing in it has no `values`. */
export function readShownForm(shown: Fields, report: ReportMistake): TerraformState {
  const read: TerraformState = { resources: [], foreign: new Map() };
  const values = own(shown, "values") ?? {};
  if (!isFields(values)) {
    report("values", "is not an object");
    return read;
  }
  const waiting: [Json, string][] = [[own(values, "root_module") ?? {}, "values.root_module"]];
  // No recursion: a hostile state has modules in modules without end.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [within, place] = next;
    if (!isFields(within)) {
      report(place, "is not an object");
      continue;
    }
    for (const [index, resource] of elements(within, "resources", place, report))
      readResource(resource, `${place}.resources[${index}]`, read, report);
    for (const [index, child] of elements(within, "child_modules", place, report).toReversed())
      waiting.push([child, `${place}.child_modules[${index}]`]);
  }
  return read;
}

function elements(within: Fields, member: string, place: string, report: ReportMistake): [number, Json][] {
  const list = own(within, member) ?? [];
  if (Array.isArray(list)) return [...list.entries()];
  report(`${place}.${member}`, "is not a list");
  return [];
}

function readResource(resource: Json, place: string, read: TerraformState, report: ReportMistake): void {
  const head = headOf(resource, place, report);
  if (!head) return;
  const { fields, type, name, isManaged } = head;
  if (!isOfProvider(type)) {
    if (isManaged) read.foreign.set(type, (read.foreign.get(type) ?? 0) + 1);
    return;
  }
  const attributes = own(fields, "values") ?? {};
  if (!isFields(attributes)) return report(`${place}.values`, "is not an object");
  const key = keyIn(fields, "index", place, report);
  if (key === undefined) return;
  const condition = own(fields, "deposed_key")
    ? "deposed"
    : own(fields, "tainted") === true
      ? "tainted"
      : undefined;
  read.resources.push({
    address: textIn(fields, "address") ?? `${isManaged ? "" : "data."}${type}.${name}${key}`,
    type,
    isManaged,
    id: idIn(attributes, `${place}.values`, isManaged, report),
    attributes,
    sensitive: sensitiveIn(own(fields, "sensitive_values")),
    ...(condition && { condition }),
  });
}

/** The attributes that an object such as `{ password: true, secrets: [{ value: true }] }` marks. */
function sensitiveIn(marks: Json | undefined): string[] {
  if (!isFields(marks)) return [];
  return Object.keys(marks).filter((attribute) => marksAnything(own(marks, attribute) ?? null));
}

function marksAnything(marks: Json): boolean {
  const waiting = [marks];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === true) return true;
    if (typeof next === "object" && next !== null)
      for (const inside of Object.values(next)) waiting.push(inside);
  }
  return false;
}
