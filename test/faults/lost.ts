import { kindOf, type Report } from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";

/** The documents that bring back what a run has deleted and not made again. */
export function lostDocuments({ outcomes }: Report): Fields[] {
  return outcomes.flatMap(({ lost }) => {
    if (!lost) return [];
    const { kind, parent, name, manage, fields } = lost;
    const member = kindOf(kind).parentMember;
    const holder = member === undefined || parent === undefined ? {} : { [member]: parent };
    return [{ kind, name, ...holder, ...(manage && { manage }), ...fields }];
  });
}
