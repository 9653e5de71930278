import { describeAddress } from "../../model/addresses/address.ts";
import { once } from "../../values/json.ts";
import { isOnDemand, type LiveResource } from "../../state/live/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { entriesIn, partsIn, declaredParts } from "../../model/parts/index.ts";
import { unreadIn } from "../plan/live-state.ts";
import { addressBy, addressesOf, type ResourceIdentity } from "../plan/inventory.ts";
import type { Comparison } from "../plan/overlay.ts";
import type { Planning } from "../plan/planning.ts";
import { claimsIn } from "../../rules/claims.ts";
import { type Message, say } from "../../problems/say.ts";

const mostRead = 50;

/** The ids of the resources whose lists were read for claims, shared by all passes of a plan. */
const requestedFor = once((_documents: readonly DesiredResource[]) => new Set<string>());

/** Exclusive values of a document that another live resource of the organization has, in the lists that are read or needed. */
export function claimedElsewhere(
  planning: Planning,
  { given, base, changes, on }: Comparison,
): { message: Message }[] {
  const claims = claimsIn(given.address.kind, given.declared);
  if (claims.length === 0) return [];
  const isNew = claims.some(
    ({ path: [member, key] }) =>
      on !== "existing" || changes.some(({ path }) => path[0] === member && path[1] === key),
  );
  if (isNew && isUnlisted(planning, undefined)) planning.findings.needContents(undefined);
  return [...planning.inventory.byId.values()].flatMap((other) => {
    const { live, documents } = other;
    if (!live || (on === "existing" && live.id === base?.id)) return [];
    if (isNew && isUnlisted(planning, live))
      read(planning, other, "contents", () => planning.findings.needContents(live));
    return declaredParts(live.kind).flatMap((part) => {
      if (!part.form.isUnique) return [];
      const listed = partsIn(planning.live.parts, live, [part]);
      if (!listed && (isNew || planning.policy.strict))
        read(planning, other, `${part.name}s`, () => planning.findings.needParts(live, [part]));
      return claims.flatMap(({ path: [member, key], claim }) =>
        member === part.member &&
        listed?.some((entry) => entry.key === key) &&
        !documents.some(({ declared }) => entriesIn(declared, member)[key] === null)
          ? [
              {
                message: say`the ${claim} leads to ${describeAddress(addressBy(other, other.names[0] ?? []))}`,
              },
            ]
          : [],
      );
    });
  });
}

/** Whether some list of a resource has not been read. @param resource undefined means the organization */
function isUnlisted({ live }: Planning, resource: LiveResource | undefined): boolean {
  return unreadIn(live, resource?.kind, resource?.id ?? live.organization.id).some(
    (kind) => !isOnDemand(kind),
  );
}

/** Reads a list, or mentions it as unread if the plan has read enough lists for claims. */
function read(
  { policy, resources, findings }: Planning,
  other: ResourceIdentity,
  sort: string,
  need: () => void,
): void {
  const requested = requestedFor(resources);
  const isEnough = requested.size >= mostRead && !requested.has(other.id) && !policy.strict;
  if (!isEnough) {
    requested.add(other.id);
    need();
  } else for (const address of addressesOf(other).slice(0, 1)) findings.leaveUnread({ address, sort });
}
