import { createHash } from "node:crypto";
import { formatAddress } from "../../../model/addresses/address.ts";
import { fingerprint } from "../../../model/fingerprint.ts";
import { type Fields, stableJson, textIn } from "../../../values/json.ts";
import type { LiveValues, LiveResource } from "../../../state/live/index.ts";
import { lostParts, partsIn, withoutParts } from "../../../model/parts/index.ts";
import { type Action, deletes, isChange, type Plan, updates } from "../../../planning/plan/index.ts";

/** A hash, by address, of the live state that a plan changes or deletes: names can pass to other resources, and values change back. */
export function statesOf({ actions }: Pick<Plan, "actions">, known: LiveValues): Record<string, string> {
  const { contents, lists } = known;
  const resources = new Map(
    [...contents.values(), ...lists.values()].flatMap((each) =>
      each.resources.map((resource) => [resource.id, resource]),
    ),
  );
  const seen = Map.groupBy(
    actions.filter((action) => isChange(action) && action.resourceId !== undefined),
    ({ address }) => formatAddress(address),
  );
  return Object.fromEntries(
    [...seen].map(([address, changes]) => {
      const states = changes.flatMap((action) =>
        idsIn(action).flatMap((id) => stateOf(action, resources.get(id), known)),
      );
      return [
        address,
        createHash("sha256")
          .update(stableJson([...new Set(states)].toSorted()))
          .digest("hex"),
      ];
    }),
  );
}

/** The live resources of an action: its own, the contents of a deleted one, and those that lose parts. */
function idsIn(action: Action): string[] {
  const { resourceId, contentIds, losses } = action;
  const inside = deletes(action) ? contentIds : losses.flatMap(({ owner }) => owner?.id ?? []);
  return [resourceId ?? "", ...inside];
}

/** The state of a resource, and of its changed or deleted parts. */
function stateOf(action: Action, resource: LiveResource | undefined, known: LiveValues): string[] {
  if (!resource) return [];
  const { kind, name, id, fields, response } = resource;
  const isSubject = action.resourceId === id;
  const parts = lostParts(kind).filter((part) => partsIn(known.parts, resource, [part]) !== undefined);
  return [
    `${id} ${fingerprint(kind, name, withoutParts(kind, fields))} ${changedAt(response)}`,
    ...(partsIn(known.parts, resource, parts) ?? [])
      .filter(({ isOwn, part, key }) => isOwn && touches(action, isSubject, part.member, key))
      .map(
        ({ part, key, response: entry }) =>
          `${id} ${part.member} ${key} ${textIn(entry, "id")} ${changedAt(entry)}`,
      ),
  ];
}

/** The time of the last change; empty: the API does not tell. */
function changedAt(response: Fields): string {
  return textIn(response, "updated_at") ?? textIn(response, "created_at") ?? "";
}

/** Whether an action changes or deletes a part of one of its resources. */
function touches(action: Action, isSubject: boolean, member: string, key: string): boolean {
  if (!updates(action)) return true;
  return isSubject
    ? action.changes.some(({ path }) => path[0] === member && (path.length === 1 || path[1] === key))
    : action.losses.some(({ name }) => name === key);
}
