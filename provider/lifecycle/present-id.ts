import type { Kind } from "../../core/kinds/index.ts";
import { sameId } from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";
import type { ProviderSession } from "./session.ts";

/**
 * The present id of a resource. What is not complete at first, such as an invitation, gets another id when it is: then
 * it is found by its name. Reads the list of a kind with such resources, and of no other.
 *
 * @param name as the state has it
 */
export async function presentId(
  session: ProviderSession,
  kind: Kind,
  { id, parentId, name }: { id: string; parentId: string; name: string | undefined },
): Promise<string> {
  if (!kind.listing.pendingPath || name === undefined) return id;
  const all = (await session.listOf(kind, parentId))?.resources.filter((each) => each.kind === kind) ?? [];
  if (all.some((each) => sameId(each.id, id))) return id;
  return all.find((each) => nameKey(each.name) === nameKey(name))?.id ?? id;
}
