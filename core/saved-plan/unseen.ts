import { formatAddress, formatReference } from "../address.ts";
import { fingerprint } from "../fingerprint.ts";
import { type Kind, kindsInside } from "../kinds/index.ts";
import type { LiveReader } from "../live/index.ts";
import { withoutParts } from "../parts/index.ts";
import type { DeleteAction, Plan, ReplaceAction } from "../plan/index.ts";
import type { Problem } from "../problem.ts";

type Destructive = DeleteAction | ReplaceAction;

/**
 * What a saved plan deletes or replaces without having seen it: parts and contents that have appeared since, all levels
 * deep, and described contents that have changed since. Reads through the store: one request for each list of parts of
 * each resource that goes, and one for each list of contents.
 */
export async function unseenProblems(reader: LiveReader, { actions }: Plan): Promise<Problem[]> {
  const going = actions.filter(
    (action): action is Destructive => action.type === "delete" || action.type === "replace",
  );
  const tops = going.filter(({ alongWith }) => alongWith === undefined);
  const found = await Promise.all(
    tops.map(async (action) => {
      const { kind } = action.address;
      const parentId = "id" in action.parent ? action.parent.id : "";
      const news = await newsIn(reader, going, { kind, id: action.resourceId, parentId }, []);
      const address = formatAddress(action.address);
      return news.map((what): Problem => {
        const message = `the plan is stale: ${address} contains ${what}`;
        return { code: "stale", message, remedies: [{ again: "plan" }], address };
      });
    }),
  );
  return found.flat();
}

/** What is new in a resource that goes. @param names its names below the resource of the action */
async function newsIn(
  { client, live }: LiveReader,
  going: readonly Destructive[],
  owner: { kind: Kind; id: string; parentId: string },
  names: readonly string[],
): Promise<string[]> {
  const { kind, id } = owner;
  const where = names.length === 0 ? "" : ` of ${formatReference(names)}`;
  const losses = going.flatMap((action) => action.losses).filter((loss) => loss.owner?.id === id);
  const lost = kind.parts.filter(({ isConfiguration }) => !isConfiguration);
  const parts = lost.length === 0 ? [] : ((await live.partsOf(client, owner, lost)) ?? []);
  const unseen = parts.filter(
    ({ part, key, isOwn }) =>
      isOwn &&
      !losses.some(({ what, name }) => what === part.name && (name === key || name.endsWith(`: ${key}`))),
  );
  const news = unseen.map(({ part, key }) => `the ${part.name} ${key}${where}, which has appeared since`);
  if (kindsInside(kind).length === 0) return news;
  const { resources = [], unknown = [] } = (await live.allContentsOf(client, kind, id)) ?? {};
  const seen = new Set(going.flatMap(({ resourceId, contentIds }) => [resourceId, ...contentIds]));
  for (const child of [...resources, ...unknown])
    if (!seen.has(child.id))
      news.push(`${formatReference([...names, child.name])}, which has appeared since`);
  const inside = await Promise.all(
    resources
      .filter((child) => seen.has(child.id))
      .map(async (child) => {
        const path = [...names, child.name];
        const own = going.find(({ resourceId }) => resourceId === child.id);
        const print = fingerprint(child.kind, child.name, withoutParts(child.kind, child.fields));
        const changed =
          own && own.fingerprint !== print ? [`${formatReference(path)}, which has changed since`] : [];
        const inner = { kind: child.kind, id: child.id, parentId: id };
        return [...changed, ...(await newsIn({ client, live }, going, inner, path))];
      }),
  );
  return [...news, ...inside.flat()];
}
