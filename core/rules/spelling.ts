import { compare } from "../model/fields/compare.ts";
import { overlay } from "../model/fields/overlay.ts";
import { undeclaredFields } from "../model/fields/undeclared-fields.ts";
import type { Fields } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import type { LiveResource } from "../state/live/index.ts";
import { withoutParts } from "../model/parts/index.ts";
import { escapeControl, shorten } from "../values/text.ts";

/** Whether a live resource is as an earlier run would have created it, with the values of a new one or the clone source. */
export function isAsCreated(
  { kind, fields, isClone }: { kind: Kind; fields: Fields; isClone: boolean },
  live: Fields,
): boolean {
  const own = withoutParts(kind, fields);
  return (
    compare(kind.fields, live, overlay(kind.fields, live, own)).length === 0 &&
    (isClone || !undeclaredFields(kind.fields, own, live).some((field) => field.default !== undefined))
  );
}

/** The problem of a resource that exists under another spelling of its name: every run would create another one. */
export function respelled({ name, id }: Pick<LiveResource, "name" | "id">): string {
  const other = shorten(escapeControl(`"${name}" (${id})`), 200);
  return `the resource does not exist, but ${other} does, with the same fields: the server seems to change the spelling of names`;
}
