import { declaredParts, partsIn } from "../model/parts/index.ts";
import type { LivePartOwner, LiveResource } from "../state/live/index.ts";
import type { Run } from "./run.ts";

/**
 * The sibling that has an entry which only one resource can have, such as a custom domain. One request for each sibling.
 * Undefined: none has it, or they cannot be read; a resource elsewhere may have it.
 */
export async function claimHolder(
  { client, freshLists, live }: Run,
  { kind, id, parentId }: LivePartOwner,
  [member, key]: readonly [member: string, key: string],
): Promise<LiveResource | undefined> {
  const { resources = [] } = (await freshLists.readList(kind, parentId).catch(() => undefined)) ?? {};
  const found = await Promise.all(
    resources.map(async (each) => {
      const parts = declaredParts(each.kind).filter((part) => part.member === member && part.form.isUnique);
      if (each.id === id || parts.length === 0) return [];
      const lists = await live.parts.read(client, each, parts, 0).catch(() => undefined);
      return ((lists && partsIn(lists, each, parts)) ?? []).some((entry) => entry.key === key) ? [each] : [];
    }),
  );
  return found.flat()[0];
}
