import { compare, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { toRequest } from "../fields/wire.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { toLive } from "../live.ts";

/** The body of a POST or PUT. */
export function requestBody(kind: Kind, name: string, fields: Fields, how: "create" | "update"): Fields {
  const body = { name, ...toRequest(kind.fields, fields) };
  return kind.finishBody?.(body, how) ?? body;
}

/** Says which of the wanted fields the server has not taken over, where its answer shows them. */
export function remarkOn(
  kind: Kind,
  response: Fields,
  parentId: string,
  wanted: Fields,
): { remark?: string } {
  const answered = toLive(kind, response, parentId).fields;
  const shown = Object.fromEntries(
    Object.entries(wanted).filter(([member]) => Object.hasOwn(answered, member)),
  );
  const refused = compare(kind.fields, answered, overlay(kind.fields, answered, shown));
  if (refused.length === 0) return {};
  return { remark: `the server did not take over ${refused.map(({ path }) => formatPath(path)).join(", ")}` };
}
