import { formatAddress } from "../../address.ts";
import { fingerprint } from "../../fingerprint.ts";
import { type Fields, textIn } from "../../json.ts";
import type { Contents, Known, LiveResource } from "../../live/index.ts";
import { lostParts, partsIn, withoutParts } from "../../parts/index.ts";
import { type Action, deletes, isChange, type Plan, updates } from "../../plan/index.ts";

/** Something live that a plan changes or deletes. */
export interface SeenInPlan {
  /** The id of the action that changes or deletes it. */
  by: string;
  /** `job:shop/staging/a`, `the secret KEY of job:shop/staging/a`. */
  title: string;
  id: string;
  /**
   * The fingerprint of the fields of a resource and the time of its last change, or when a part was last changed. Another
   * one if somebody has changed it, even if it is again as it was.
   */
  state: string;
}

/**
 * The live state that a plan has seen of everything that it changes or deletes: a name can belong to another resource,
 * variable or secret by the time that the plan is applied, and an id cannot. A deployment changes none of this.
 */
export function seenBy({ actions }: Pick<Plan, "actions">, known: Known): SeenInPlan[] {
  const resources = resourcesIn(known);
  return actions.flatMap((action) => {
    const { id: by } = action;
    return [...new Set(idsIn(action))].flatMap((id): SeenInPlan[] => {
      const resource = resources.get(id);
      if (!resource) return [];
      const { kind, name, fields, response } = resource;
      const isSubject = action.resourceId === id;
      const title = isSubject ? formatAddress(action.address) : `${kind.slug} ${name}`;
      const parts = lostParts(kind).filter((part) => partsIn(known.parts, resource, [part]) !== undefined);
      const entries = partsIn(known.parts, resource, parts) ?? [];
      return [
        {
          by,
          title,
          id,
          state: `${fingerprint(kind, name, withoutParts(kind, fields))} ${changedAt(response)}`,
        },
        ...entries
          .filter(({ isOwn, part, key }) => isOwn && touches(action, isSubject, part.member, key))
          .map(({ part, key, response: entry }) => ({
            by,
            title: `the ${part.name} ${key} of ${title}`,
            id: textIn(entry, "id") ?? "",
            state: changedAt(entry),
          })),
      ];
    });
  });
}

/** When the API says that it was last changed; empty: it does not say that. */
function changedAt(response: Fields): string {
  return textIn(response, "updated_at") ?? textIn(response, "created_at") ?? "";
}

/** The live resources that an action is about: its own, those inside what it deletes, and those that lose parts. */
function idsIn(action: Action): string[] {
  const { resourceId, contentIds, losses } = action;
  if (resourceId === undefined || !isChange(action)) return [];
  const inside = deletes(action) ? contentIds : losses.flatMap(({ owner }) => owner?.id ?? []);
  return [resourceId, ...inside];
}

/** Whether an action changes or deletes a part of a resource that it is about. */
function touches(action: Action, isSubject: boolean, member: string, key: string): boolean {
  if (!updates(action)) return true;
  return isSubject
    ? action.changes.some(({ path }) => path[0] === member && (path.length === 1 || path[1] === key))
    : action.losses.some(({ name }) => name === key || name.endsWith(`: ${key}`));
}

/** All live resources that are known, by their ids. */
export function resourcesIn({
  contents,
  lists,
}: Pick<Known, "contents" | "lists">): Map<string, LiveResource> {
  const all: Contents[] = [...contents.values(), ...lists.values()];
  return new Map(all.flatMap(({ resources }) => resources.map((resource) => [resource.id, resource])));
}
