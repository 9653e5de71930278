import { type Fields, isFields, type Json, mapFields, once, own, sameJson } from "../values/json.ts";
import { elementLabel } from "../model/schema/elements.ts";
import { type FieldSchema, hasMembers, memberOf } from "../model/schema/field-schema.ts";

/** The members of an object that say where a value comes from that the API never shows. */
const sourceMembers = ["from_env", "from_file", "from_sops", "from_command", "from_document"] as const;

/** The member beside them that lets the value be empty. */
const allowEmpty = "allow_empty";

export const secretField = "secret";

/** A value of a field that comes from elsewhere. */
export interface FieldSecret {
  path: string[];
  /** `{ from_env: NAME }` or the like. */
  reference: Fields;
}

/** A member whose value the API hides when another member of the same object is true. */
export function hiddenMember(schema: FieldSchema, fields: Fields): string | undefined {
  const [member] =
    Object.entries(schema.properties ?? {}).find(
      ([, { hiddenWhen }]) => hiddenWhen !== undefined && own(fields, hiddenWhen) === true,
    ) ?? [];
  return member;
}

/** Where the value of an object comes from: a program declares the value of a secret itself. */
function sourceOf(schema: FieldSchema, fields: Fields): Fields | undefined {
  const sources = schema.secret ? ["value", ...sourceMembers] : sourceMembers;
  const member = sources.find((source) => typeof own(fields, source) === "string");
  if (member === undefined) return undefined;
  const mayBeEmpty = own(fields, allowEmpty) === true;
  return { [member]: own(fields, member) ?? null, ...(mayBeEmpty && { [allowEmpty]: true }) };
}

/** Fields with references in place of plain secrets, so that nothing made of them shows these, and the values by reference. */
export function withoutPlainSecrets(
  schema: FieldSchema,
  fields: Fields,
  name: string,
): { fields: Fields; values: Map<string, string> } {
  const values = new Map<string, string>();
  const changed = mapObjects(schema, fields, [], (inside, object, path) => {
    const member = hiddenMember(inside, object);
    const value = member === undefined ? undefined : own(object, member);
    if (member === undefined || typeof value !== "string") return object;
    const reference = `${name}#${path.join(".")}`;
    values.set(reference, value);
    const { [member]: _hidden, ...others } = object;
    return { ...others, from_document: reference };
  });
  return { fields: changed, values };
}

/** The fields with another text in the place of each hidden value that they state in plain text. */
export function withoutHiddenValues(schema: FieldSchema, fields: Fields, placeholder: string): Fields {
  return mapObjects(schema, fields, [], (inside, object) => {
    const member = hiddenMember(inside, object);
    return member === undefined || typeof own(object, member) !== "string"
      ? object
      : { ...object, [member]: placeholder };
  });
}

/** The values that the API never shows and that come from elsewhere. */
export function secretsInFields(schema: FieldSchema, fields: Fields): FieldSecret[] {
  const found: FieldSecret[] = [];
  mapObjects(schema, fields, [], (inside, object, path) => {
    const reference = isSecretObject(inside, object) ? sourceOf(inside, object) : undefined;
    if (reference) found.push({ path, reference });
    return object;
  });
  return found;
}

/** The secrets that fields only mention: nobody says where their values come from. */
export function secretsWithoutSource(schema: FieldSchema, fields: Fields): string[][] {
  return pathsWhere(schema, fields, (inside, object) => inside.secret === true && !sourceOf(inside, object));
}

/** The paths of the values that a live resource has and that the API never shows. */
export function hiddenSecrets(schema: FieldSchema, fields: Fields): string[][] {
  return pathsWhere(
    schema,
    fields,
    (inside, object) => isSecretObject(inside, object) && !sourceOf(inside, object),
  );
}

/** The paths of plain values over hidden ones: they would be new values of secrets, of which no comparison shows anything. */
export function openOverHidden(schema: FieldSchema, declared: Fields, current: Fields): string[][] {
  const hidden = new Set(hiddenSecrets(schema, current).map((path) => path.join("\0")));
  const found: string[][] = [];
  mapObjects(schema, declared, [], (inside, object, path) => {
    for (const [member, { hiddenWhen }] of Object.entries(inside.properties ?? {})) {
      if (hiddenWhen === undefined || own(object, hiddenWhen) !== undefined) continue;
      if (typeof own(object, member) === "string" && hidden.has(path.join("\0")))
        found.push([...path, member]);
    }
    return object;
  });
  return found;
}

/** The fields with `rotate: true` in the secrets at these paths: a run writes their values again. */
export function withRotated(schema: FieldSchema, fields: Fields, paths: readonly string[][]): Fields {
  const rotated = new Set(paths.map((path) => path.join("\0")));
  return mapObjects(schema, fields, [], (inside, object, path) =>
    isSecretObject(inside, object) && rotated.has(path.join("\0")) ? { ...object, rotate: true } : object,
  );
}

/** The fields with a source for each secret that they only mention; `which`: also values that the API calls hidden. */
export function withSources(
  schema: FieldSchema,
  fields: Fields,
  sourceAt: (path: readonly string[]) => Fields,
  which?: "hidden",
): Fields {
  return mapObjects(schema, fields, [], (inside, object, path) => {
    const member = which && hiddenMember(inside, object);
    const isMentioned = inside.secret || (member !== undefined && own(object, member) === undefined);
    return isMentioned && !sourceOf(inside, object) ? { ...sourceAt(path), ...object } : object;
  });
}

/** The values of secrets that fields state openly, as a program does, each as the member that has it, by the path of its object. */
function openValues(schema: FieldSchema, fields: Fields): Map<string, Fields> {
  const found = new Map<string, Fields>();
  mapObjects(schema, fields, [], (inside, object, path) => {
    const member = inside.secret ? "value" : hiddenMember(inside, object);
    const value = member === undefined ? undefined : own(object, member);
    if (member !== undefined) found.set(path.join("\0"), value === undefined ? {} : { [member]: value });
    return object;
  });
  return found;
}

/** The fields with the values of their secrets as they were last written, which the API never shows. */
export function withLastSecrets(schema: FieldSchema, fields: Fields, last: Fields): Fields {
  const values = openValues(schema, last);
  return withSources(schema, fields, (path) => values.get(path.join("\0")) ?? {}, "hidden");
}

/** Declared fields with `rotate: true` in each secret whose value is another than the last one. */
export function withChangedSecrets(schema: FieldSchema, declared: Fields, last: Fields): Fields {
  const values = openValues(schema, last);
  const changed = [...openValues(schema, declared)].filter(([path, value]) => {
    const before = values.get(path);
    return before !== undefined && !sameJson(before, value);
  });
  return withRotated(
    schema,
    declared,
    changed.map(([path]) => path.split("\0")),
  );
}

/** The fields as the API shows them after they were written: of a secret only its version. */
export function asShown(schema: FieldSchema, fields: Fields): Fields {
  return mapObjects(schema, fields, [], (inside, object) => {
    if (inside.secret)
      return mapFields(object, (value, member) => (member === "version" ? value : undefined));
    return isSecretObject(inside, object) ? withoutOrder(object) : object;
  });
}

/** A secret without the order to write it again, which no request and no response has. */
function withoutOrder({ rotate: _order, ...secret }: Fields): Fields {
  return secret;
}

/** Whether an object says where a value comes from that the API never shows. */
function isSecretObject(schema: FieldSchema, object: Fields): boolean {
  return schema.secret === true || hiddenMember(schema, object) !== undefined;
}

/** The fields with each value of a reference in its place, as requests need them. */
export async function withSecretValues(
  schema: FieldSchema,
  fields: Fields,
  read: (reference: Fields) => Promise<string>,
): Promise<Fields> {
  const values = new Map<string, string>();
  for (const { path, reference } of secretsInFields(schema, fields))
    values.set(path.join("\0"), await read(reference));
  return mapObjects(schema, fields, [], (inside, object, path) => {
    const value = values.get(path.join("\0"));
    const member = inside.secret ? "value" : hiddenMember(inside, object);
    if (member === undefined) return object;
    if (value === undefined) return withoutOrder(object);
    const others = mapFields(withoutOrder(object), (inner, key) =>
      key === allowEmpty || sourceMembers.some((source) => source === key) ? undefined : inner,
    );
    return { ...others, [member]: value };
  });
}

/** Changes every object that is or contains a secret, except in parts with free keys, which know their sources. */
export function mapObjects(
  schema: FieldSchema,
  fields: Fields,
  path: string[],
  change: (schema: FieldSchema, object: Fields, path: string[]) => Fields,
): Fields {
  if (!hasSecrets(schema)) return fields;
  const inside = (inner: FieldSchema, value: Json, at: string[]): Json => {
    if (inner.part && !inner.properties) return value;
    if (isFields(value)) return hasMembers(inner) ? mapObjects(inner, value, at, change) : value;
    const { items } = inner;
    if (!items?.properties || !Array.isArray(value)) return value;
    return value.map((element) => inside(items, element, [...at, `[${elementLabel(inner, element)}]`]));
  };
  const changed = mapFields(fields, (value, member) =>
    inside(memberOf(schema, member) ?? {}, value, [...path, member]),
  );
  return change(schema, changed, path);
}

/** The paths of the objects of which something is true, among those that `mapObjects` finds. */
function pathsWhere(
  schema: FieldSchema,
  fields: Fields,
  holds: (schema: FieldSchema, object: Fields) => boolean,
): string[][] {
  const found: string[][] = [];
  mapObjects(schema, fields, [], (inside, object, path) => {
    if (holds(inside, object)) found.push(path);
    return object;
  });
  return found;
}

export const hasSecrets = once(
  ({ secret, hiddenWhen, part, properties, entries, items }: FieldSchema): boolean =>
    (!part || properties !== undefined) &&
    (secret === true ||
      hiddenWhen !== undefined ||
      [...Object.values(properties ?? {}), entries, items].some((inner) => inner && hasSecrets(inner))),
);
