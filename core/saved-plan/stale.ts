import { formatAddress, nameOf } from "../address.ts";
import type { Client } from "../api/index.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Fields } from "../json.ts";
import { type Contents, readContents, readParts } from "../live/index.ts";
import { ownPartFields, partFields } from "../parts/index.ts";
import type { Action, Plan } from "../plan/index.ts";
import type { Problem } from "../problem.ts";
import { findByName } from "../steps/index.ts";

/**
 * Holds a saved plan against what is live now: what it changes or deletes has to be as it was, what it makes still
 * has to be absent. One list for each parent that exists. Gives what is stale.
 */
export async function staleProblems(client: Client, plan: Plan): Promise<Problem[]> {
  const changing = plan.actions.filter(({ type, parent }) => type !== "none" && "id" in parent);
  const parents = new Map<string, Action>();
  for (const action of changing) if ("id" in action.parent) parents.set(action.parent.id, action);
  const children = new Map<string, Contents | undefined>();
  await Promise.all(
    [...parents].map(async ([parentId, { address }]) => {
      children.set(parentId, await readContents(client, address.kind.parent, parentId));
    }),
  );
  const changed = changing.filter((action) => action.type === "update" && action.resourceId !== undefined);
  const parts = new Map<Action, Fields>();
  await Promise.all(
    changed.map(async (action) => {
      const hanging = await readStatedParts(client, action);
      if (hanging) parts.set(action, hanging);
    }),
  );
  return changing.flatMap((action) => {
    const held = "id" in action.parent ? children.get(action.parent.id) : undefined;
    const what = staleness(action, held, parts.get(action) ?? {});
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

/** What hangs on a resource of which a plan has seen that, as fields. */
async function readStatedParts(client: Client, action: Action): Promise<Fields | undefined> {
  if (action.type !== "update" || action.resourceId === undefined || !("id" in action.parent))
    return undefined;
  const { kind } = action.address;
  const seen = Object.keys(partFields(kind, action.expected));
  if (seen.length === 0) return undefined;
  const entries = await readParts(client, { kind, id: action.resourceId, parentId: action.parent.id });
  return entries && ownPartFields(kind, entries);
}

function staleness(action: Action, held: Contents | undefined, parts: Fields): string | undefined {
  if (!held) return "has lost what held it";
  const { address } = action;
  const { kind } = address;
  if (action.type === "create" || action.type === "clone") {
    const name = nameOf(address);
    return findByName({ kind, name, parentId: "" }, held) ? "has appeared since" : undefined;
  }
  if (action.type === "none" || action.resourceId === undefined || action.fingerprint === undefined)
    return undefined;
  const { resourceId: id } = action;
  const live = held.resources.find((resource) => resource.kind === kind && resource.id === id);
  if (!live) return "has disappeared since";
  return fingerprint(kind, live.name, { ...live.fields, ...parts }) === action.fingerprint
    ? undefined
    : "has changed since";
}
