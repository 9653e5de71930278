import { article } from "../../values/text.ts";
import { field, type Message, say } from "../../problems/say.ts";
import { type Fields, isFields, type Json, mapFields, own, sameJson, valueAt } from "../../values/json.ts";
import { nameKey } from "../addresses/names.ts";
import { type PartEntry, type DeclaredPart, declaredParts } from "../parts/index.ts";
import { type Format, type Formats, nameMistake, ruled } from "../schema/format.ts";
import { nearest } from "../schema/suggest.ts";
import type { Mistake } from "../../source/mistake.ts";
import { kinds } from "./registry.ts";
import type { Kind } from "./kind.ts";

// The platform sets variables about some services. Their keys contain the id of the service, so a document names the
// service and the output: `{ from: database:orders, output: host_internal }`.

/** An entry of a part that is an output of a sibling. */
export interface OutputUse {
  /** The member and the key of the entry: `variables`, `DATABASE_HOST`. */
  path: [member: string, key: string];
  kind: Kind;
  name: string;
  output: string;
}

/** A resource whose outputs its siblings can use. */
export interface OutputSource {
  kind: Kind;
  name: string;
  id: string;
}

interface KnownSource extends OutputSource {
  values: ReadonlyMap<string, Json>;
}

const withOutputsOfTheirOwn = (): Kind[] => kinds.filter(({ outputs }) => outputs !== undefined);

/** Reads `database:orders`. Undefined if no such kind has outputs. */
function parseSource(text: string): { kind: Kind; name: string } | undefined {
  const end = text.indexOf(":");
  const slug = text.slice(0, end).toLowerCase();
  const kind = withOutputsOfTheirOwn().find((each) => each.slug === slug);
  return kind && end >= 0 ? { kind, name: text.slice(end + 1) } : undefined;
}

/** `database:orders`. */
function formatSource({ kind, name }: Pick<OutputSource, "kind" | "name">): string {
  return `${kind.slug}:${name}`;
}

export function outputsUsed(kind: Kind, fields: Fields): OutputUse[] {
  return declaredParts(kind).flatMap(({ member, form }) => {
    const entries = form.takesOutputs && own(fields, member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]): OutputUse[] => {
      const { from, output } = isFields(entry) ? entry : {};
      const source = typeof from === "string" ? parseSource(from) : undefined;
      return source && typeof output === "string" ? [{ path: [member, key], ...source, output }] : [];
    });
  });
}

/** Finds outputs that the kind does not have, a source without an output, and non-secret outputs among secrets. */
export function outputFaults(
  kind: Kind,
  fields: Fields,
): { path: string[]; message: Message; advice: string }[] {
  return declaredParts(kind).flatMap((part) => {
    const entries = own(fields, part.member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]) => {
      const fault = isFields(entry) ? faultIn(part, entry) : undefined;
      if (!fault) return [];
      const { member, message, advice } = fault;
      const place = field([part.member, key]);
      return [{ path: [part.member, key, member], message: say`${place}: ${message}`, advice }];
    });
  });
}

function faultIn(
  { member, form }: DeclaredPart,
  { from, output }: Fields,
): { member: string; message: string; advice: string } | undefined {
  const takesOutputs = form.takesOutputs === true || form.outputsIn !== undefined;
  const source = takesOutputs && typeof from === "string" ? parseSource(from) : undefined;
  if (!source) return undefined;
  const known = Object.keys(source.kind.outputs ?? {});
  if (typeof output !== "string") {
    const message = "from names a resource, and output is missing";
    return { member: "from", message, advice: `add output: one of ${known.join(", ")}` };
  }
  const { outputs = {}, name } = source.kind;
  const its = own(outputs, output);
  if (!its) {
    // The platform sets others too, and a service such as Terraform has outputs of its own.
    const near = nearest(output, known);
    if (near === undefined && variableName.test(output)) return undefined;
    const advice = near === undefined ? `there are: ${known.join(", ")}` : `did you mean ${near}?`;
    return { member: "output", message: `${article(name)} has no output "${output}"`, advice };
  }
  if (form.outputsIn === undefined || its.isSecret) return undefined;
  const message = `${output} of ${article(name)} is not a secret`;
  return { member: "output", message, advice: `declare it under ${form.outputsIn} instead of ${member}` };
}

/** Moves outputs to the member where the API has them, and returns the declared member of each, by `MEMBER.KEY`. */
export function withOutputsInPlace(
  kind: Kind,
  fields: Fields,
): { fields: Fields; declaredIn: ReadonlyMap<string, string> } {
  const declaredIn = new Map<string, string>();
  const result: Fields = { ...fields };
  for (const { member, form } of declaredParts(kind)) {
    const entries = own(fields, member);
    if (form.outputsIn === undefined || !isFields(entries)) continue;
    const others = own(result, form.outputsIn);
    const there: Fields = isFields(others) ? others : {};
    const moved = Object.entries(entries).filter(
      // A key in both members is a mistake, which is reported elsewhere.
      ([key, entry]) => isFields(entry) && entry["from"] !== undefined && !Object.hasOwn(there, key),
    );
    if (moved.length === 0) continue;
    for (const [key] of moved) declaredIn.set(`${form.outputsIn}.${key}`, member);
    const keys = new Set(moved.map(([key]) => key));
    const left = mapFields(entries, (entry, key) => (keys.has(key) ? undefined : entry));
    if (Object.keys(left).length > 0) result[member] = left;
    else delete result[member];
    result[form.outputsIn] = { ...there, ...Object.fromEntries(moved) };
  }
  return { fields: result, declaredIn };
}

/** A variable of the platform: `QOVERY_POSTGRESQL_Z0A1B2C3D_HOST_INTERNAL`. */
const builtInKey = /_Z(?<id>[0-9A-F]{8})_(?<variable>[A-Za-z]\w*)$/;

const variableName = /^[A-Za-z]\w*$/;

/** The output of a resource with a key of the platform; undefined for other keys. */
function outputIn<Source extends OutputSource>(
  key: string,
  sources: readonly Source[],
): { source: Source; output: string } | undefined {
  const { id = "", variable = "" } = builtInKey.exec(key)?.groups ?? {};
  const source = id === "" ? undefined : sources.find((each) => each.id.slice(0, 8).toUpperCase() === id);
  if (!source) return undefined;
  const [named] =
    Object.entries(source.kind.outputs ?? {}).find(([, its]) => its.variable === variable) ?? [];
  return {
    source,
    output: named ?? (variable === variable.toUpperCase() ? variable.toLowerCase() : variable),
  };
}

/** The resources with the values that the platform gives, among the entries that another resource sees. */
function withKnownValues(sources: readonly OutputSource[], entries: readonly PartEntry[]): KnownSource[] {
  const known = sources.map((source) => ({ ...source, values: new Map<string, Json>() }));
  for (const { part, isOwn, key, response } of entries) {
    const { value = null } = response;
    const found = isOwn || value === null || !part.isBuiltIn?.(response) ? undefined : outputIn(key, known);
    found?.source.values.set(found.output, value);
  }
  return known;
}

/** Replaces aliases of outputs, and equal values, by the sibling and its output; `declared`: whose spelling is kept. */
export function withOutputs(
  kind: Kind,
  fields: Fields,
  sources: readonly OutputSource[],
  entries: readonly PartEntry[],
  declared?: Fields,
): Fields {
  const known = withKnownValues(sources, entries);
  const near = prefixesOfHosts(kind, fields, known);
  return withEntries(kind, fields, (entry, member, key) => {
    if (!isFields(entry)) return entry;
    const { alias_of: _alias, from: _from, output: _output, value, ...others } = entry;
    if (declared === undefined) {
      const found =
        outputOf(entry, sources) ?? (value === undefined ? undefined : outputWith(value, key, known, near));
      return found ? { ...found, ...others } : entry;
    }
    const desired = valueAt(declared, [member, key]);
    const { from, output } = isFields(desired) ? desired : {};
    if (typeof from !== "string" || typeof output !== "string") return entry;
    const found = outputOf(entry, sources);
    const isIt = found
      ? isSame(from, found.from) && output === found.output
      : value !== undefined && sameJson(value, valueOf(from, output, known));
    return isIt ? { from, output, ...others } : entry;
  });
}

function valueOf(from: string, output: string, known: readonly KnownSource[]): Json | undefined {
  return known.find((source) => isSame(from, formatSource(source)))?.values.get(output);
}

/** The output with a value. A port or a login counts only if one resource has it and the key names it: `DB_PORT`. */
function outputWith(
  value: Json,
  key: string,
  known: readonly KnownSource[],
  near: ReadonlyMap<string, string>,
): { from: string; output: string } | undefined {
  const equal = known.flatMap((source) =>
    [...source.values].flatMap(([output, its]) => (sameJson(its, value) ? [{ source, output }] : [])),
  );
  const sure = equal.find(({ source }) => hasIdOf(source, value));
  const named = equal.filter(({ source, output }) => {
    const prefix = prefixOf(output, key);
    return prefix !== undefined && (near.get(prefix) === source.id || isPrefixOf(source, prefix));
  });
  const isOne = new Set(named.map(({ source }) => source.id)).size === 1;
  const found = sure ?? (isOne ? named[0] : undefined);
  return found && { from: formatSource(found.source), output: found.output };
}

function hasIdOf({ id }: OutputSource, value: Json): boolean {
  return typeof value === "string" && value.toLowerCase().includes(id.slice(0, 8).toLowerCase());
}

/** Words in keys of outputs whose value does not identify the resource; the prefix of the key does. */
const wordsFor: Readonly<Record<string, RegExp>> = {
  host_internal: /^(?:(?<prefix>.+)_)?HOST(?:_INTERNAL)?$/i,
  port: /^(?:(?<prefix>.+)_)?PORT$/i,
  login: /^(?:(?<prefix>.+)_)?(?:LOGIN|USER|USER_?NAME)$/i,
  database_name: /^(?:(?<prefix>.+)_)?(?:DATABASE|DB|DB_?NAME|DATABASE_?NAME)$/i,
};

/** The part of a key before the word for an output; undefined without such a word. */
function prefixOf(output: string, key: string): string | undefined {
  const found = wordsFor[output]?.exec(key);
  return found ? (found.groups?.["prefix"] ?? "") : undefined;
}

/** Whether a key begins with a word for databases, or with the name of the resource, unlike `METRICS_PORT`. */
function isPrefixOf({ name }: OutputSource, prefix: string): boolean {
  const word = prefix.toUpperCase();
  return (
    /^(?:DB|DATABASE|PG|POSTGRES(?:QL)?|MYSQL|MARIADB|MONGO(?:DB)?|REDIS)$/.test(word) ||
    word === name.toUpperCase().replaceAll(/[^A-Z\d]+/g, "_")
  );
}

/** The prefixes of keys whose values are hosts of a resource, which contain its id. */
function prefixesOfHosts(
  kind: Kind,
  fields: Fields,
  known: readonly KnownSource[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  withEntries(kind, fields, (entry, _member, key) => {
    const value = isFields(entry) ? (entry["value"] ?? entry["alias_of"] ?? null) : entry;
    const source = known.find((each) => hasIdOf(each, value));
    const prefix = prefixOf("host_internal", key);
    if (source && prefix !== undefined) found.set(prefix, source.id);
    return entry;
  });
  return found;
}

/** Fields without the aliases of some resources' outputs, because the server deletes them with these resources. */
export function withoutOutputsOf(kind: Kind, fields: Fields, sources: readonly OutputSource[]): Fields {
  return withEntries(kind, fields, (entry) =>
    isFields(entry) && entry["alias_of"] !== undefined && outputOf(entry, sources) ? undefined : entry,
  );
}

/** The parts of a kind whose entries may be outputs of a resource. */
export function partsTakingOutputs(kind: Kind): DeclaredPart[] {
  return declaredParts(kind).filter(({ form }) => form.takesOutputs);
}

/** Whether an entry is an output of another resource, with which the server deletes it. */
export function isOutputOf({ part: { form }, isOwn, response }: PartEntry, source: OutputSource): boolean {
  const entry = isOwn && form?.takesOutputs ? form.declaredAs(response) : undefined;
  return isFields(entry) && outputOf(entry, [source]) !== undefined;
}

/** Whether a variable of that key is an output of one of these resources. */
export function isKeyOfOutput(key: string, sources: () => readonly OutputSource[]): boolean {
  return builtInKey.test(key) && outputOf({ alias_of: key }, sources()) !== undefined;
}

function outputOf(
  { alias_of: alias, from, output }: Fields,
  sources: readonly OutputSource[],
): { from: string; output: string } | undefined {
  if (typeof from === "string" && typeof output === "string") return { from, output };
  const found = typeof alias === "string" ? outputIn(alias, sources) : undefined;
  return found && { from: formatSource(found.source), output: found.output };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map(parseSource);
  return left?.kind === right?.kind && nameKey(left?.name ?? "") === nameKey(right?.name ?? "");
}

/** Replaces the outputs of siblings by aliases of the platform's variables. An output without a variable stays. */
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
    const source =
      named && sources.find((each) => each.kind === named.kind && nameKey(each.name) === nameKey(named.name));
    const alias = source && keys.find((key) => outputIn(key, [source])?.output === output);
    return alias === undefined ? entry : { alias_of: alias, ...others };
  });
}

function withEntries(
  kind: Kind,
  fields: Fields,
  turn: (entry: Json, member: string, key: string) => Json | undefined,
): Fields {
  const members = new Set(partsTakingOutputs(kind).map(({ member }) => member));
  return mapFields(fields, (entries, member) =>
    members.has(member) && isFields(entries)
      ? mapFields(entries, (entry, key) => turn(entry, member, key))
      : entries,
  );
}

/** The outputs of each kind, for people: `Database has host_internal, port`. */
export function describeOutputs(): string[] {
  return withOutputsOfTheirOwn().map(
    ({ name, outputs = {} }) => `${name} has ${[...Object.keys(outputs), "others"].join(", ")}`,
  );
}

export function outputFormats(): Formats {
  const slugs = withOutputsOfTheirOwn().map(({ slug }) => slug);
  const outputs = [...new Set(withOutputsOfTheirOwn().flatMap((kind) => Object.keys(kind.outputs ?? {})))];
  // `outputFaults` checks which kind has which output.
  const output = { rule: () => true, mistake: () => undefined, editor: { examples: outputs } };
  return { sibling: sourceFormat(slugs), output };
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
