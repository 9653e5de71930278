import { takesLast } from "../../core/rules/last-one.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { sameId } from "../../core/live/index.ts";
import { RefusedError } from "./errors.ts";
import type { ProviderSession } from "./session.ts";

/**
 * Refuses to remove the last resource that a parent needs, such as the last owner of an organization. Reads lists only
 * of kinds that have such a rule.
 *
 * @param wanted the fields that the resource gets; undefined if it is deleted
 * @throws RefusedError
 */
export async function refuseLast(
  session: ProviderSession,
  kind: Kind,
  { id, parentId }: { id: string; parentId: string },
  wanted?: Fields,
): Promise<void> {
  const keepsOne = kind.deletion?.keepsOne;
  if (!keepsOne || (wanted && keepsOne.holds(wanted))) return;
  const list = await session.listOf(kind, parentId);
  const all = (list?.resources ?? []).filter((each) => each.kind === kind);
  const isIt = (each: { id: string }) => sameId(each.id, id);
  const last = takesLast(kind, id, all, (each) => (isIt(each) ? wanted : each.fields));
  if (last)
    throw new RefusedError(`the ${kind.name} "${all.find(isIt)?.name}" ${last.message}; ${last.advice}`);
}
