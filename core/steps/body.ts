import { nameKey } from "../address.ts";
import { compare, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { toRequest } from "../fields/wire.ts";
import type { Fields } from "../json.ts";
import { fieldsIn, type Kind } from "../kinds/index.ts";
import { parentIdIn, sameId } from "../live/index.ts";

/** The body of a POST or PUT. */
export function requestBody(kind: Kind, name: string, fields: Fields, how: "create" | "update"): Fields {
  const body = { name, ...toRequest(kind.fields, fields) };
  return kind.finishBody?.(body, how) ?? body;
}

/** Says which of the wanted fields the server has not taken over, where its answer shows them. */
export function remarkOn(kind: Kind, response: Fields, wanted: Fields): { remark?: string } {
  const answered = fieldsIn(kind, response);
  const shown = Object.fromEntries(
    Object.entries(wanted).filter(([member]) => Object.hasOwn(answered, member)),
  );
  const refused = compare(kind.fields, answered, overlay(kind.fields, answered, shown));
  if (refused.length === 0) return {};
  return { remark: `the server did not take over ${refused.map(({ path }) => formatPath(path)).join(", ")}` };
}

/** Whether the answer to a write is about that resource, as far as it tells; it need not tell anything. */
export function isAbout(
  kind: Kind,
  response: Fields,
  { id, name, parentId }: { id?: string; name?: string; parentId: string },
): boolean {
  const { id: itsId, name: itsName } = response;
  const itsParentId = parentIdIn(kind, response);
  return (
    (id === undefined || typeof itsId !== "string" || sameId(itsId, id)) &&
    (name === undefined || typeof itsName !== "string" || nameKey(itsName) === nameKey(name)) &&
    (itsParentId === undefined || sameId(itsParentId, parentId))
  );
}
