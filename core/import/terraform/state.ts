import { type Fields, isFields, type Json, own, textIn } from "../../json.ts";
import { InvalidInputError, type Problem } from "../../problem.ts";
import { maximumProblems } from "../../source/limits.ts";
import { decodeText, tooLarge } from "../../source/text.ts";
import { escapeControl } from "../../text.ts";
import { readFileForm } from "./file-form.ts";
import { type ReportMistake, type TerraformState, headOf, idIn, keyIn } from "./state-resource.ts";
import { isOfProvider } from "./resource-types.ts";

/** Bytes of a state; that of 10,000 services has 40 million. */
export const maximumStateBytes = 256 << 20;

const getOne =
  "write one with `terraform state pull > terraform.tfstate`, or give the output of `terraform show -json`";

const getWhole =
  "write all of it again with `terraform state pull > terraform.tfstate`, or give the whole output of `terraform show -json`";

/**
 * Reads a state of Terraform: the file itself, of version 4, or what `terraform show -json` prints, of version 1.
 *
 * @param bytes undefined if there are too many
 * @param name of the file in messages
 * @throws InvalidInputError with every mistake and its place. No message has a value of the state.
 */
export function readState(bytes: Uint8Array | undefined, name: string): TerraformState {
  const shown = escapeControl(name);
  const decoded = bytes === undefined ? { mistake: tooLarge } : decodeText(bytes);
  if ("mistake" in decoded) {
    const isTooLarge = decoded.mistake === tooLarge;
    throw refused(
      "unreadable",
      `${shown} ${isTooLarge ? `is larger than ${maximumStateBytes / 1024 / 1024} MiB` : decoded.mistake.message}`,
      isTooLarge ? "split the state with `terraform state mv`" : getOne,
    );
  }
  const value = parse(decoded.text, shown);
  const problems: Problem[] = [];
  const report = (place: string, message: string) => {
    problems.push({
      code: "invalid",
      message: `${shown}: ${escapeControl(place)}: ${message}`,
      advice: "write the state again with Terraform; it must not be edited by hand",
    });
  };
  const read = isFields(value) ? formOf(value, shown) : undefined;
  if (!read || !isFields(value))
    throw refused("invalid", `${shown} is JSON, but not a state of Terraform`, getOne);
  const state = read(value, report);
  if (problems.length === 0) return state;
  const hidden = problems.length - maximumProblems;
  throw new InvalidInputError([
    ...problems.slice(0, maximumProblems),
    ...(hidden > 0
      ? [
          {
            code: "omitted",
            message: `and ${hidden} more in ${shown}`,
            advice: "fix those above first",
          } as const,
        ]
      : []),
  ]);
}

/** The function that reads the form of a value; undefined where it is not a state. Throws for one that cannot be read. */
function formOf(
  value: Fields,
  shown: string,
): ((value: Fields, report: ReportMistake) => TerraformState) | undefined {
  if (Object.hasOwn(value, "encrypted_data"))
    throw refused(
      "invalid",
      `${shown} is encrypted`,
      "give the output of `tofu show -json`, which decrypts it",
    );
  if (Object.hasOwn(value, "planned_values") || Object.hasOwn(value, "resource_changes"))
    throw refused("invalid", `${shown} is a plan of Terraform, and no state`, getOne);
  const format = value["format_version"];
  if (format !== undefined) {
    if (typeof format === "string" && /^1(?:\.\d+)?$/.test(format)) return readShownForm;
    throw refused(
      "invalid",
      `${shown}: format_version is not 1.x, which is the only format that infrasync reads`,
      "use Terraform 1.1 or newer to print it",
    );
  }
  const { version } = value;
  if (version === 4) return readFileForm;
  if (isFields(value["backend"]))
    throw refused(
      "invalid",
      `${shown} names the backend that has the state, and is not the state`,
      "run `terraform state pull > terraform.tfstate` in the folder of the configuration",
    );
  if (version === undefined) return undefined;
  throw refused(
    "invalid",
    `${shown}: version is not 4, which is the only version that infrasync reads`,
    typeof version === "number" && version < 4
      ? "let Terraform 0.12 or newer write it anew, with `terraform apply -refresh-only`"
      : getOne,
  );
}

function parse(text: string, shown: string): unknown {
  if (text.trim() === "") throw refused("invalid", `${shown} is empty`, getOne);
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser quotes the text, which has secrets.
    const message = error instanceof Error ? error.message : "";
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    const end = text.trimEnd().length;
    if (/^Unexpected end|^Unterminated/.test(message) || offset >= end)
      throw refused("syntax", `${shown} is cut off: its JSON has no end`, getWhole);
    if (/^\s*[[{]/.test(text))
      throw refused("syntax", `${shown} is not valid JSON${placeOf(text, offset)}`, getOne);
    throw refused("syntax", `${shown} is not JSON`, getOne);
  }
}

function placeOf(text: string, offset: number): string {
  if (Number.isNaN(offset)) return "";
  const before = text.slice(0, offset).split("\n");
  return ` at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function refused(
  code: "syntax" | "invalid" | "unreadable",
  message: string,
  advice: string,
): InvalidInputError {
  return new InvalidInputError([{ code, message, advice }]);
}

/** Reads a state as `terraform show -json` prints it: version 1. A state with nothing in it has no `values`. */
function readShownForm(shown: Fields, report: ReportMistake): TerraformState {
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
