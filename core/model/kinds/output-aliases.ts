import { type Fields, isFields, type Json, mapFields, sameJson, valueAt } from "../../values/json.ts";
import { nameKey } from "../addresses/names.ts";
import { type PartEntry } from "../parts/index.ts";
import type { Kind } from "./kind.ts";
import { formatSource, type OutputSource, parseSource, partsTakingOutputs } from "./outputs.ts";

interface KnownSource extends OutputSource {
  values: ReadonlyMap<string, Json>;
}

/** A variable of the platform: `QOVERY_POSTGRESQL_Z0A1B2C3D_HOST_INTERNAL`. */
const builtInKey = /_Z(?<id>[0-9A-F]{8})_(?<variable>[A-Za-z]\w*)$/;

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
