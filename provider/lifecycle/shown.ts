import { textIn } from "../../core/json.ts";
import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import { camelCase } from "./casing.ts";
import { type Properties } from "./inputs.ts";
import { pointerOf } from "./internal.ts";

/** The output with the value that the API shows once; it is secret, and missing where a resource was taken over. */
export function shownOutput({ name, shownOnce }: Kind): Record<string, FieldSchema> {
  if (shownOnce === undefined) return {};
  const description = `Its value, which is secret. The API shows it once, so it is missing where the ${name} was taken over or imported.`;
  return { [camelCase(shownOnce)]: { type: "string", description, secret: true } };
}

/** The outputs of a kind that are always secret, as JSON pointers. */
export function shownPointers(kind: Kind): string[] {
  return Object.keys(shownOutput(kind)).map((member) => pointerOf([member]));
}

/** The outputs with that value, which a creation has shown or the state has. */
export function withShown(kind: Kind, outs: Properties, value: string | undefined): Properties {
  const [member] = Object.keys(shownOutput(kind));
  return member === undefined || value === undefined ? outs : { ...outs, [member]: value };
}

/** That value in the state; undefined if it has none. */
export function shownIn(kind: Kind, olds: Properties): string | undefined {
  const [member] = Object.keys(shownOutput(kind));
  return member === undefined ? undefined : textIn(olds, member);
}
