/** `live_address` of `liveAddress`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

/** Each type of a union with its members in another spelling, and no member undefined. */
type InForm<Value> = Value extends unknown
  ? { [Member in keyof Value as SnakeCase<Member & string>]: Exclude<Value[Member], undefined> }
  : never;

/** An object with its own members in snake_case, without undefined ones. */
export function inForm<Value extends object>(value: Value): InForm<Value> {
  const snakeCase = (member: string) => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]: [string, unknown]) =>
      inner === undefined ? [] : [[snakeCase(member), inner]],
    ),
  ) as InForm<Value>;
}
