/** `live_address` of `liveAddress`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

/** `liveAddress` of `live_address`. */
type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** Each type of a union with its members in another spelling, and no member undefined. */
type InForm<Value> = Value extends unknown
  ? { [Member in keyof Value as SnakeCase<Member & string>]: Exclude<Value[Member], undefined> }
  : never;

type FromForm<Value> = Value extends unknown
  ? { [Member in keyof Value as CamelCase<Member & string>]: Value[Member] }
  : never;

/** An object with its own members in snake_case, as JSON forms have them, without those that are undefined. */
export function inForm<Value extends object>(value: Value): InForm<Value> {
  return renamed(value, (member) =>
    member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as InForm<Value>;
}

/** An object of a JSON form with its own members in camelCase. */
export function fromForm<Value extends object>(form: Value): FromForm<Value> {
  return renamed(form, (member) =>
    member.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ) as FromForm<Value>;
}

function renamed(value: object, nameOf: (member: string) => string): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]: [string, unknown]) =>
      inner === undefined ? [] : [[nameOf(member), inner]],
    ),
  );
}
