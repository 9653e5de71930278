import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import { nameKey } from "../names.ts";
import { type PartEntry, type StatedPart, statedParts } from "../parts/index.ts";
import { type Format, type Formats, nameMistake, ruled } from "../schema/formats.ts";
import { nearest } from "../schema/suggest.ts";
import type { Mistake } from "../source/mistake.ts";
import { kinds } from "./registry.ts";
import type { Kind } from "./kind.ts";

// The platform sets variables about some services. Their keys have the id of the service in them, so a document names the
// service and what it wants of it: `{ from: database:orders, output: host_internal }`.

/** An entry of a part that is an output of a sibling. */
export interface OutputUse {
  /** The member and the key of the entry: `variables`, `DATABASE_HOST`. */
  path: [member: string, key: string];
  kind: Kind;
  /** The name of the sibling. */
  name: string;
  output: string;
}

/** A resource whose outputs its siblings can use. */
export interface OutputSource {
  kind: Kind;
  name: string;
  id: string;
}

/** The kinds whose resources have outputs. */
const withOutputsOfTheirOwn = (): Kind[] => kinds.filter(({ outputs }) => outputs !== undefined);

/** The sibling that a text names: `database:orders`. Undefined where no such kind has outputs. */
function parseSource(text: string): { kind: Kind; name: string } | undefined {
  const end = text.indexOf(":");
  const slug = text.slice(0, end).toLowerCase();
  const kind = withOutputsOfTheirOwn().find((each) => each.slug === slug);
  return kind && end >= 0 ? { kind, name: text.slice(end + 1) } : undefined;
}

/** The form in which a document names a sibling: `database:orders`. */
function formatSource({ kind, name }: Pick<OutputSource, "kind" | "name">): string {
  return `${kind.slug}:${name}`;
}

/** The outputs that fields of a resource use. */
export function outputsUsed(kind: Kind, fields: Fields): OutputUse[] {
  return statedParts(kind).flatMap(({ member, form }) => {
    const entries = form.takesOutputs && own(fields, member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]): OutputUse[] => {
      const { from, output } = isFields(entry) ? entry : {};
      const source = typeof from === "string" ? parseSource(from) : undefined;
      return source && typeof output === "string" ? [{ path: [member, key], ...source, output }] : [];
    });
  });
}

/** A mistake in the use of an output that the document alone shows. */
export interface OutputFault {
  path: string[];
  message: string;
  advice: string;
}

/** Finds outputs that no resource of the kind has, a source without an output, and outputs among secrets that are none. */
export function outputFaults(kind: Kind, fields: Fields): OutputFault[] {
  return statedParts(kind).flatMap((part) => {
    const entries = own(fields, part.member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]) => {
      const fault = isFields(entry) ? faultIn(part, entry) : undefined;
      if (!fault) return [];
      const { member, message, advice } = fault;
      const place = `${part.member}.${key}`;
      return [{ path: [part.member, key, member], message: `${place}: ${message}`, advice }];
    });
  });
}

function faultIn(
  { member, form }: StatedPart,
  { from, output }: Fields,
): { member: string; message: string; advice: string } | undefined {
  const takesOutputs = form.takesOutputs === true || form.outputsIn !== undefined;
  const source = takesOutputs && typeof from === "string" ? parseSource(from) : undefined;
  if (!source) return undefined;
  const { outputs = {}, name } = source.kind;
  const known = Object.keys(outputs);
  if (typeof output !== "string") {
    const message = "from names a resource, and output is missing";
    return { member: "from", message, advice: `add output: one of ${known.join(", ")}` };
  }
  const its = own(outputs, output);
  if (!its) {
    const near = nearest(output, known);
    const advice = near === undefined ? `there are: ${known.join(", ")}` : `did you mean ${near}?`;
    return { member: "output", message: `a ${name} has no output "${output}"`, advice };
  }
  if (form.outputsIn === undefined || its.isSecret) return undefined;
  const message = `${output} of a ${name} is not a secret`;
  return { member: "output", message, advice: `state it under ${form.outputsIn} instead of ${member}` };
}

/**
 * The fields with outputs where the API has them: another name for a secret is not a secret.
 *
 * @returns also the member in which the document states each entry that has another place, by `MEMBER.KEY`
 */
export function withOutputsInPlace(
  kind: Kind,
  fields: Fields,
): { fields: Fields; statedIn: ReadonlyMap<string, string> } {
  const statedIn = new Map<string, string>();
  const result: Fields = { ...fields };
  for (const { member, form } of statedParts(kind)) {
    const entries = own(fields, member);
    if (form.outputsIn === undefined || !isFields(entries)) continue;
    const others = own(result, form.outputsIn);
    const there: Fields = isFields(others) ? others : {};
    const moved = Object.entries(entries).filter(
      // What both members state is a mistake, which is reported elsewhere.
      ([key, entry]) => isFields(entry) && entry["from"] !== undefined && !Object.hasOwn(there, key),
    );
    if (moved.length === 0) continue;
    for (const [key] of moved) statedIn.set(`${form.outputsIn}.${key}`, member);
    const keys = new Set(moved.map(([key]) => key));
    const left = mapFields(entries, (entry, key) => (keys.has(key) ? undefined : entry));
    if (Object.keys(left).length > 0) result[member] = left;
    else delete result[member];
    result[form.outputsIn] = { ...there, ...Object.fromEntries(moved) };
  }
  return { fields: result, statedIn };
}

/** The resource and the variable that a key of the platform is about: `QOVERY_POSTGRESQL_Z0A1B2C3D_HOST_INTERNAL`. */
const builtInKey = /_Z(?<id>[0-9A-F]{8})_(?<variable>[A-Z][A-Z_]*)$/;

/** Whether the platform has set the variable of a key about the resource of an id. Source: notes.md. */
function isVariableOf(key: string, id: string, variable: string): boolean {
  const { groups } = builtInKey.exec(key) ?? {};
  return groups?.["id"] === id.slice(0, 8).toUpperCase() && groups["variable"] === variable;
}

/**
 * Fields in which aliases of what the platform says about siblings name the sibling and its output.
 *
 * @param stated the fields of a document: only what it states so is turned, and has its words; absent: all is turned
 */
export function withOutputs(
  kind: Kind,
  fields: Fields,
  sources: readonly OutputSource[],
  stated?: Fields,
): Fields {
  const turned = (entry: Json, wanted: Json | undefined): Json => {
    if (!isFields(entry)) return entry;
    const found = outputOf(entry, sources);
    if (!found) return entry;
    const { alias_of: _alias, from: _from, output: _output, ...others } = entry;
    if (stated === undefined) return { ...found, ...others };
    const { from, output } = isFields(wanted) ? wanted : {};
    const isIt = typeof from === "string" && isSame(from, found.from) && output === found.output;
    return isIt ? { from, output, ...others } : entry;
  };
  return withEntries(kind, fields, (entry, member, key) => {
    const entries = stated && own(stated, member);
    return turned(entry, isFields(entries) ? own(entries, key) : undefined);
  });
}

/** Fields without the aliases of some resources' outputs, because the server deletes them with these resources. */
export function withoutOutputsOf(kind: Kind, fields: Fields, sources: readonly OutputSource[]): Fields {
  return withEntries(kind, fields, (entry) =>
    isFields(entry) && entry["alias_of"] !== undefined && outputOf(entry, sources) ? undefined : entry,
  );
}

/** The parts of a kind whose entries may be outputs of a resource. */
export function partsTakingOutputs(kind: Kind): StatedPart[] {
  return statedParts(kind).filter(({ form }) => form.takesOutputs);
}

/** Whether an entry of a resource is an output of another resource: the server deletes it with that resource. */
export function isOutputOf({ part: { form }, isOwn, response }: PartEntry, source: OutputSource): boolean {
  const entry = isOwn && form?.takesOutputs ? form.statedAs(response) : undefined;
  return isFields(entry) && outputOf(entry, [source]) !== undefined;
}

/** Whether the platform sets a variable of that key about one of these resources. */
export function isKeyOfOutput(key: string, sources: readonly OutputSource[]): boolean {
  return outputOf({ alias_of: key }, sources) !== undefined;
}

function outputOf(
  { alias_of: alias, from, output }: Fields,
  sources: readonly OutputSource[],
): { from: string; output: string } | undefined {
  if (typeof from === "string" && typeof output === "string") return { from, output };
  if (typeof alias !== "string") return undefined;
  for (const source of sources)
    for (const [name, { variable }] of Object.entries(source.kind.outputs ?? {}))
      if (isVariableOf(alias, source.id, variable)) return { from: formatSource(source), output: name };
  return undefined;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map(parseSource);
  return left?.kind === right?.kind && nameKey(left?.name ?? "") === nameKey(right?.name ?? "");
}

/**
 * Replaces the outputs of siblings in fields by aliases of the variables that the platform has set. An output without
 * such a variable stays as it is.
 *
 * @param keys the keys of all variables that the resource sees
 */
export function withAliases(
  kind: Kind,
  fields: Fields,
  sources: readonly OutputSource[],
  keys: readonly string[],
): Fields {
  return withEntries(kind, fields, (entry) => {
    const { from, output, ...others } = isFields(entry) ? entry : {};
    if (typeof from !== "string" || typeof output !== "string") return entry;
    const named = parseSource(from);
    const source = named && sources.find((each) => each.kind === named.kind && isNamed(each, named.name));
    const variable = named?.kind.outputs?.[output]?.variable ?? "";
    const alias = source && keys.find((key) => isVariableOf(key, source.id, variable));
    return alias === undefined ? entry : { alias_of: alias, ...others };
  });
}

function isNamed(source: OutputSource, name: string): boolean {
  return nameKey(source.name) === nameKey(name);
}

function withEntries(
  kind: Kind,
  fields: Fields,
  turn: (entry: Json, member: string, key: string) => Json | undefined,
): Fields {
  const members = new Set(
    statedParts(kind).flatMap(({ member, form }) => (form.takesOutputs ? [member] : [])),
  );
  return mapFields(fields, (entries, member) =>
    members.has(member) && isFields(entries)
      ? mapFields(entries, (entry, key) => turn(entry, member, key))
      : entries,
  );
}

/** The outputs of each kind, for people: `Database has host_internal, port`. */
export function describeOutputs(): string[] {
  return withOutputsOfTheirOwn().map(
    ({ name, outputs = {} }) => `${name} has ${Object.keys(outputs).join(", ")}`,
  );
}

/** The formats of a sibling with outputs, and of an output of any kind. */
export function outputFormats(): Formats {
  const slugs = withOutputsOfTheirOwn().map(({ slug }) => slug);
  const outputs = [...new Set(withOutputsOfTheirOwn().flatMap((kind) => Object.keys(kind.outputs ?? {})))];
  return { sibling: sourceFormat(slugs), output: outputFormat(outputs) };
}

function sourceFormat(slugs: readonly string[]): Format {
  const advice = `write KIND:NAME, such as database:orders; KIND is one of ${slugs.join(", ")}`;
  const mistake = (text: string): Mistake | undefined => {
    const source = parseSource(text);
    if (source) return nameMistake(source.name);
    const slug = text.slice(0, Math.max(0, text.indexOf(":")));
    const near = slug === "" ? undefined : nearest(slug, slugs);
    return {
      message: "names no resource with outputs in the same environment",
      advice: near === undefined ? advice : `did you mean ${near}:${text.slice(slug.length + 1)}?`,
    };
  };
  return ruled(mistake, {
    pattern: `^(${slugs.join("|")}):\\S([\\s\\S]*\\S)?$`,
    patternErrorMessage: `${advice.replace(/^w/, "W")}.`,
  });
}

/** Which outputs a kind has, `outputFaults` checks. */
function outputFormat(outputs: readonly string[]): Format {
  return { rule: () => true, mistake: () => undefined, editor: { enum: [...outputs] } };
}
