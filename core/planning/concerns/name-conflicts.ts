import { describeAddress } from "../../model/addresses/address.ts";
import { once, own } from "../../values/json.ts";
import { isOnDemand, type LiveResource } from "../../state/live/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { entriesIn, partsIn, declaredParts } from "../../model/parts/index.ts";
import { unreadIn } from "../plan/live-state.ts";
import { addressBy, addressesOf, type ResourceIdentity } from "../plan/inventory.ts";
import type { Comparison } from "../plan/overlay.ts";
import type { Planning } from "../plan/planning.ts";
import { claimsIn, type UniqueClaim } from "../../rules/claims.ts";
import { field, type Message, say } from "../../problems/say.ts";
import { unknownValue } from "../../problems/unknown.ts";
import type { Refusal } from "../plan/findings.ts";

const mostRead = 50;

/** The ids of the resources whose lists were read for claims, shared by all passes of a plan. */
const requestedFor = once((_documents: readonly DesiredResource[]) => new Set<string>());

/** A value of a document that the server would refuse. */
interface RefusedValue {
  path: string[];
  message: Message;
  help: string;
}

/** The exclusive values that others have, and those that others may have, in the lists that are read or needed. */
function claimedElsewhere(
  planning: Planning,
  { given, base, changes, on }: Comparison,
): { claimed: RefusedValue[]; unsought: readonly UniqueClaim[] } {
  const { findings, policy } = planning;
  const claims = claimsIn(given.address.kind, given.declared);
  if (claims.length === 0) return { claimed: [], unsought: [] };
  const had = claimsIn(given.address.kind, policy.succeeds?.fields ?? {});
  const gained = claims.filter(({ path: [member, key], claim }) =>
    on === "existing"
      ? changes.some(({ path }) => path[0] === member && path[1] === key)
      : !had.some((each) => each.claim === claim),
  );
  const isNew = gained.length > 0;
  let isUnread = isNew && isUnlisted(planning, undefined);
  if (isUnread) findings.needContents(undefined);
  const claimed = [...planning.inventory.byId.values()].flatMap((other) => {
    const { live, documents } = other;
    if (!live || live.id.includes(unknownValue) || (on === "existing" && live.id === base?.id)) return [];
    if (isNew && isUnlisted(planning, live)) {
      isUnread = true;
      read(planning, other, "contents", () => findings.needContents(live));
    }
    return declaredParts(live.kind).flatMap((part) => {
      if (!part.form.isUnique) return [];
      const listed = partsIn(planning.live.parts, live, [part]);
      isUnread ||= isNew && !listed;
      if (!listed && (isNew || policy.strict))
        read(planning, other, `${part.name}s`, () => findings.needParts(live, [part]));
      return claims.flatMap(({ path, claim }) =>
        path[0] === part.member &&
        listed?.some((entry) => entry.key === path[1]) &&
        !documents.some(({ declared }) => entriesIn(declared, path[0])[path[1]] === null)
          ? [
              {
                path,
                message: say`the ${claim} leads to ${describeAddress(addressBy(other, other.names[0] ?? []))}`,
                help: "remove it there first",
              },
            ]
          : [],
      );
    });
  });
  return { claimed, unsought: isUnread ? gained : [] };
}

/** The values above the maximum that the server reports for the existing resource. */
function aboveMaximum({ policy }: Planning, { given, base, parent }: Comparison): RefusedValue[] {
  const { declared, address } = given;
  const { succeeds } = policy;
  const live = succeeds?.parentId === parent.live?.id ? succeeds : base?.live;
  return Object.entries(address.kind.reports).flatMap(([report, { limits = "" }]) => {
    const [value, maximum] = [own(declared, limits), own(live?.response ?? {}, report)];
    const isAbove = typeof value === "number" && typeof maximum === "number" && value > maximum;
    const message = say`${field([limits])} ${String(value)} is above ${String(maximum)}, the maximum of the cluster`;
    return isAbove ? [{ path: [limits], message, help: "lower it" }] : [];
  });
}

/** Notes values that the server would refuse. */
export function noteRefused(planning: Planning, comparison: Comparison): void {
  const { address } = comparison.given;
  if (isReplaced(planning, comparison)) return;
  const { claimed } = claimedElsewhere(planning, comparison);
  for (const { message } of [...claimed, ...aboveMaximum(planning, comparison)])
    planning.findings.note({ code: "doubtful_value", message, address });
}

/** Refuses a replacement with values that the server would, or might, refuse: the existing resource is deleted first. */
export function refuseRefused(planning: Planning, comparison: Comparison): Refusal[] {
  if (!isReplaced(planning, comparison)) return [];
  const { claimed, unsought } = claimedElsewhere(planning, comparison);
  const unknown = unsought.map(({ path, claim }) => ({
    path,
    message: `whether the ${claim} leads to another resource is unknown: the run reads at most ${mostRead} lists for it`,
    help: "add it in a run after the replacement",
  }));
  return [...claimed, ...unknown, ...aboveMaximum(planning, comparison)].map((each) => ({
    ...each,
    code: "impossible",
    isCertain: true,
  }));
}

function isReplaced({ policy }: Planning, { how }: Comparison): boolean {
  return how === "replace" || policy.succeeds !== undefined;
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
