/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** The members of a JSON object. */
export type Fields = { [member: string]: Json };

/** The value of a JSON text; undefined: it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are the same, whatever the order of their members. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((element, index) => sameJson(element, right[index]))
    );
  const members = Object.keys(left);
  return (
    members.length === Object.keys(right).length &&
    members.every((member) => Object.hasOwn(right, member) && sameJson(left[member], right[member]))
  );
}

/** JSON text with the members of every object in alphabetical order, so that equal values give equal text. */
export function stableJson(value: Json): string {
  return JSON.stringify(value, (_member, inner: Json) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

/** The object with each value changed, without undefined ones; itself where nothing changes, to save memory. */
export function mapFields(fields: Fields, change: (value: Json, member: string) => Json | undefined): Fields {
  const members = Object.keys(fields);
  let changed: Fields | undefined = isBare(fields) ? {} : undefined;
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index] ?? "";
    const before = fields[member] ?? null;
    const value = change(before, member);
    if (!changed && value === before) continue;
    changed ??= Object.fromEntries(members.slice(0, index).map((same) => [same, fields[same] ?? null]));
    if (value !== undefined) setOwn(changed, member, value);
  }
  return changed ?? fields;
}

/** Whether an object has no prototype: the result is always an ordinary object. */
function isBare(fields: Fields): boolean {
  return Object.getPrototypeOf(fields) === null;
}

/** An object of any values with each of them changed. */
export function mapValues<Value, Changed>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, member: string) => Changed,
): Record<string, Changed> {
  return Object.fromEntries(Object.entries(object).map(([member, value]) => [member, change(value, member)]));
}

/** The list with each element changed; the list itself where nothing changes. */
export function mapList(list: Json[], change: (element: Json, index: number) => Json): Json[] {
  const changed = list.map(change);
  return changed.every((element, index) => element === list[index]) ? list : changed;
}

/** Of all values with the same key the last one, at the place of the first one. */
export function distinctBy<Value>(keyOf: (value: Value) => string, values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** A function that computes the value of an object once. */
export function once<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = { value: compute(key) }));
    return found.value;
  };
}

/** Sets a member; assignment would set the prototype where it is `__proto__`. */
export function setOwn(fields: Fields, member: string, value: Json): void {
  if (member === "__proto__") {
    Object.defineProperty(fields, member, { value, enumerable: true, configurable: true, writable: true });
  } else fields[member] = value;
}

/** A member that the object itself has; inherited ones (`constructor`, `__proto__`) are none. */
export function own<Value>(object: { [member: string]: Value }, member: string): Value | undefined {
  return Object.hasOwn(object, member) ? object[member] : undefined;
}

/** Some members of an object, in this order, without missing ones and those that are null. */
export function presentIn(fields: Fields, members: readonly string[]): Fields {
  return Object.fromEntries(
    members.flatMap((member) => {
      const value = own(fields, member) ?? null;
      return value === null ? [] : [[member, value]];
    }),
  );
}

/** A member that is text; undefined where it is anything else. */
export function textIn(fields: Fields, member: string): string | undefined {
  const value = own(fields, member);
  return typeof value === "string" ? value : undefined;
}

/** The text members of a received object; undefined where a required one is missing, or any of them is no text: then nothing of it is known. */
export function textsIn<Required extends string, Other extends string = never>(
  value: unknown,
  required: readonly Required[],
  others: readonly Other[] = [],
): (Record<Required, string> & Partial<Record<Other, string>>) | undefined {
  if (!isFields(value)) return undefined;
  const found = presentIn(value, [...required, ...others]);
  const isForm =
    required.every((member) => member in found) &&
    Object.values(found).every((each) => typeof each === "string");
  return isForm ? (found as ReturnType<typeof textsIn<Required, Other>>) : undefined;
}

/** The value at a path of members and indices; undefined where there is none. */
export function valueAt(value: Json, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const part of path) {
    if (Array.isArray(at)) at = at[Number(part)];
    else at = isFields(at) ? own(at, String(part)) : undefined;
  }
  return at;
}

/** A value with another one at a path; undefined removes the member or element there. */
export function withValueAt(
  value: Json,
  [part, ...rest]: readonly (string | number)[],
  inner: Json | undefined,
): Json {
  if (part === undefined) return inner ?? null;
  const changed = rest.length > 0 ? withValueAt(valueAt(value, [part]) ?? {}, rest, inner) : inner;
  if (Array.isArray(value))
    return value.flatMap((element, index) =>
      index !== Number(part) ? [element] : changed === undefined ? [] : [changed],
    );
  const fields = isFields(value) ? value : {};
  if (changed !== undefined) return { ...fields, [part]: changed };
  const { [part]: _removed, ...others } = fields;
  return others;
}
