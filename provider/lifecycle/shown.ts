import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import { camelCase } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, textOf } from "./inputs.ts";
import { recall } from "./outputs.ts";
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
  return member === undefined ? undefined : textOf(olds, member);
}

/** Refuses to delete a resource that the provider uses itself, or may use. */
export function refuseOwn(kind: Kind, olds: Properties, token: string): void {
  // What was made halfway is nobody's.
  if (!kind.deletion?.sparesOwn || recall(olds).isUnfinished) return;
  const value = shownIn(kind, olds);
  if (value === token)
    throw new RefusedError(
      `the ${kind.name} cannot be deleted: this provider uses it; set another one and run \`pulumi up\` again`,
    );
  if (value === undefined)
    throw new RefusedError(
      `the ${kind.name} cannot be deleted: it may be the one that this provider uses, because its value is not in the state; delete it in the web console, and run \`pulumi refresh\``,
    );
}
