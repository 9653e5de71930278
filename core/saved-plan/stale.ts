import { formatAddress, nameOf } from "../address.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import { kindOf, presentLinks, type Sibling, statedLinks } from "../kinds/index.ts";
import { allNamed, type Contents, isOnDemand, type LiveReader } from "../live/index.ts";
import { ownPartFields, partFields, partsWith } from "../parts/index.ts";
import type { Action, Plan } from "../plan/index.ts";
import type { Problem } from "../problem.ts";

/**
 * Compares a saved plan with live state: the resources that it changes or deletes have to be unchanged, and those that
 * it creates still have to be absent. Reads through the store. Returns a problem for each stale action.
 */
export async function staleProblems({ client, live }: LiveReader, plan: Plan): Promise<Problem[]> {
  const changing = plan.actions.filter(({ type, parent }) => type !== "none" && "id" in parent);
  const lists = new Map<string, Contents | undefined>();
  await Promise.all(
    [...Map.groupBy(changing, listKey)].map(async ([key, [action]]) => {
      if (!action || !("id" in action.parent)) return;
      lists.set(key, await live.listOf(client, action.address.kind, action.parent.id));
    }),
  );
  const changed = changing.filter((action) => action.type === "update" && action.resourceId !== undefined);
  const parts = new Map<Action, Fields>();
  await Promise.all(
    changed.map(async (action) => {
      const read = await readStatedParts({ client, live }, action);
      if (read) parts.set(action, read);
    }),
  );
  const links = new Map<Action, Fields>();
  await Promise.all(
    changed.map(async (action) => links.set(action, await readStatedLinks({ client, live }, action))),
  );
  return changing.flatMap((action) => {
    const siblings = lists.get(listKey(action));
    const beside = { parts: parts.get(action) ?? {}, links: links.get(action) ?? {} };
    const what = staleness(action, siblings, beside);
    if (what === undefined) return [];
    const address = formatAddress(action.address);
    return [
      {
        code: "stale",
        message: `the plan is stale: ${address} ${what}`,
        remedies: [{ again: "plan" }],
        address,
      },
    ];
  });
}

/** Equal for actions whose resources are in the same list. */
function listKey({ address, parent }: Action): string {
  return JSON.stringify([parent, isOnDemand(address.kind) ? address.kind.name : null]);
}

/** The parts of a resource, as fields, if the plan states some. */
async function readStatedParts({ client, live }: LiveReader, action: Action): Promise<Fields | undefined> {
  if (action.type !== "update" || action.resourceId === undefined || !("id" in action.parent))
    return undefined;
  const { kind } = action.address;
  const parts = partsWith(kind, Object.keys(partFields(kind, action.expected)));
  if (parts.length === 0) return undefined;
  const owner = { kind, id: action.resourceId, parentId: action.parent.id };
  const entries = await live.partsOf(client, owner, parts);
  return entries && ownPartFields(parts, entries);
}

/** The present links of a resource, of those that the plan states. */
async function readStatedLinks({ client, live }: LiveReader, action: Action): Promise<Fields> {
  const { kind } = action.address;
  if (action.type !== "update" || action.resourceId === undefined || !("id" in action.parent)) return {};
  const { id: parentId } = action.parent;
  const siblings = new Map<string, Sibling[]>();
  for (const { link } of statedLinks(kind, action.stated)) {
    const sibling = kindOf(link.sibling);
    const listed = await live.listOf(client, sibling, parentId);
    siblings.set(
      link.member,
      (listed?.resources ?? []).filter((each) => each.kind === sibling),
    );
  }
  return presentLinks(kind, action.resourceId, action.stated, ({ member }) => siblings.get(member));
}

function staleness(
  action: Action,
  siblings: Contents | undefined,
  { parts, links }: { parts: Fields; links: Fields },
): string | undefined {
  if (!siblings) return "has lost its parent";
  const { address } = action;
  const { kind } = address;
  if (action.type === "create" || action.type === "clone") {
    return allNamed(siblings, kind, nameOf(address)).length > 0 ? "has appeared since" : undefined;
  }
  if (action.type === "deploy") {
    const { subject } = action;
    const isThere = !("id" in subject) || siblings.resources.some(({ id }) => id === subject.id);
    return isThere ? undefined : "has disappeared since";
  }
  if (action.type === "none" || action.resourceId === undefined || action.fingerprint === undefined)
    return undefined;
  const { resourceId: id } = action;
  const live = siblings.resources.find((resource) => resource.kind === kind && resource.id === id);
  if (!live) return "has disappeared since";
  return fingerprint(kind, live.name, { ...live.fields, ...parts }, links) === action.fingerprint
    ? undefined
    : "has changed since";
}
