import { type Fields, isFields, type Json, own, textIn } from "../../json.ts";
import { isOfProvider } from "./resource-types.ts";
import {
  idIn,
  headOf,
  keyIn,
  type ReportMistake,
  type TerraformState,
  type StateResource,
} from "./state-resource.ts";

/** Reads a state as Terraform stores it: version 4. */
export function readFileForm(state: Fields, report: ReportMistake): TerraformState {
  const read: TerraformState = { resources: [], foreign: new Map() };
  const resources = own(state, "resources") ?? [];
  if (!Array.isArray(resources)) {
    report("resources", "is not a list");
    return read;
  }
  for (const [index, resource] of resources.entries())
    readResource(resource, `resources[${index}]`, read, report);
  return read;
}

function readResource(resource: Json, place: string, read: TerraformState, report: ReportMistake): void {
  const head = headOf(resource, place, report);
  if (!head) return;
  const { fields, type, name, isManaged } = head;
  const instances = own(fields, "instances");
  if (!Array.isArray(instances)) return report(`${place}.instances`, "is not a list");
  if (!isOfProvider(type)) {
    const count = isManaged ? instances.length : 0;
    if (count > 0) read.foreign.set(type, (read.foreign.get(type) ?? 0) + count);
    return;
  }
  const within = textIn(fields, "module");
  const address = [...(within === undefined ? [] : [within]), ...(isManaged ? [] : ["data"]), type, name];
  for (const [index, instance] of instances.entries()) {
    const at = `${place}.instances[${index}]`;
    if (!isFields(instance)) report(at, "is not an object");
    else readInstance(instance, at, { address: address.join("."), type, isManaged }, read, report);
  }
}

function readInstance(
  instance: Fields,
  place: string,
  resource: Pick<StateResource, "address" | "type" | "isManaged">,
  read: TerraformState,
  report: ReportMistake,
): void {
  const key = keyIn(instance, "index_key", place, report);
  if (key === undefined) return;
  const attributes = own(instance, "attributes") ?? own(instance, "attributes_flat") ?? {};
  if (!isFields(attributes)) return report(`${place}.attributes`, "is not an object");
  const condition = own(instance, "deposed")
    ? "deposed"
    : own(instance, "status") === "tainted"
      ? "tainted"
      : undefined;
  read.resources.push({
    ...resource,
    address: resource.address + key,
    id: idIn(attributes, `${place}.attributes`, resource.isManaged, report),
    attributes,
    sensitive: sensitiveIn(own(instance, "sensitive_attributes")),
    ...(condition && { condition }),
  });
}

/** The attributes that paths such as `[{ type: "get_attr", value: "password" }]` begin with. */
function sensitiveIn(paths: Json | undefined): string[] {
  if (!Array.isArray(paths)) return [];
  const names = paths.flatMap((steps) => {
    const first = Array.isArray(steps) ? steps[0] : steps;
    const name = isFields(first) ? own(first, "value") : first;
    return typeof name === "string" ? [name] : [];
  });
  return [...new Set(names)];
}
