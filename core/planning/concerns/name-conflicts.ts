import { describeAddress } from "../../model/addresses/address.ts";
import { once, own } from "../../values/json.ts";
import { isOnDemand, type LiveResource } from "../../state/live/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { entriesIn, partsIn, declaredParts } from "../../model/parts/index.ts";
import { unreadIn } from "../plan/live-state.ts";
import { addressBy, addressesOf, type ResourceIdentity } from "../plan/inventory.ts";
import type { Comparison } from "../plan/overlay.ts";
import type { Planning } from "../plan/planning.ts";
import { claimsIn } from "../../rules/claims.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { field, type Message, say } from "../../problems/say.ts";
import type { Refusal } from "../plan/findings.ts";

const mostRead = 50;

/** The ids of the resources whose lists were read for claims, shared by all passes of a plan. */
const requestedFor = once((_documents: readonly DesiredResource[]) => new Set<string>());

const refusal = (path: string[], message: Message, help: string): Refusal => ({
  code: "impossible",
  path,
  message,
  help,
  isCertain: true,
});

/** The exclusive values that other live resources of the organization have, in the lists that are read or needed. */
function claimedElsewhere(planning: Planning, comparison: Comparison): Refusal[] {
  const { given, base, changes, on } = comparison;
  const { findings, policy } = planning;
  const claims = claimsIn(given.address.kind, given.declared);
  if (claims.length === 0) return [];
  const had = claimsIn(given.address.kind, policy.succeeds?.fields ?? {});
  const isNew = claims.some(({ path: [member, key], claim }) =>
    on === "existing"
      ? changes.some(({ path }) => path[0] === member && path[1] === key)
      : !had.some((each) => each.claim === claim),
  );
  const readsAll = policy.strict || isReplaced(planning, comparison);
  if (isNew && isUnlisted(planning, undefined)) findings.needContents(undefined);
  return [...planning.inventory.byId.values()].flatMap((other) => {
    const { live, documents } = other;
    if (!live || live.id.includes(unknownValue) || (on === "existing" && live.id === base?.id)) return [];
    if (isNew && isUnlisted(planning, live))
      read(planning, readsAll, other, "contents", () => findings.needContents(live));
    return declaredParts(live.kind).flatMap((part) => {
      if (!part.form.isUnique) return [];
      const listed = partsIn(planning.live.parts, live, [part]);
      if (!listed && (isNew || policy.strict))
        read(planning, readsAll, other, `${part.name}s`, () => findings.needParts(live, [part]));
      return claims.flatMap(({ path, claim }) =>
        path[0] === part.member &&
        listed?.some((entry) => entry.key === path[1]) &&
        !documents.some(({ declared }) => entriesIn(declared, path[0])[path[1]] === null)
          ? [
              refusal(
                path,
                say`the ${claim} leads to ${describeAddress(addressBy(other, other.names[0] ?? []))}`,
                "remove it there first",
              ),
            ]
          : [],
      );
    });
  });
}

/** The values above the maximum that the server reports for the existing resource. */
function aboveMaximum({ policy }: Planning, { given, base, parent }: Comparison): Refusal[] {
  const { declared, address } = given;
  const { succeeds } = policy;
  // Another environment may be on another cluster. Of a parent that it has yet to make, a program tells whether it is.
  const isThere = parent.madeBy !== undefined || succeeds?.parentId === parent.live?.id;
  const live = succeeds && isThere ? succeeds : parent.replaced ? undefined : base?.live;
  return Object.entries(address.kind.reports).flatMap(([report, { limits = "" }]) => {
    const [value, maximum] = [own(declared, limits), own(live?.response ?? {}, report)];
    const isAbove = typeof value === "number" && typeof maximum === "number" && value > maximum;
    const message = say`${field([limits])} ${String(value)} is above ${String(maximum)}, the maximum of the cluster`;
    return isAbove ? [refusal([limits], message, "lower it")] : [];
  });
}

/** Values that the server would refuse. */
function refusedValues(planning: Planning, comparison: Comparison): Refusal[] {
  return [...claimedElsewhere(planning, comparison), ...aboveMaximum(planning, comparison)];
}

export function noteRefused(planning: Planning, comparison: Comparison): void {
  const { address } = comparison.given;
  if (isReplaced(planning, comparison)) return;
  for (const { message } of refusedValues(planning, comparison))
    planning.findings.note({ code: "doubtful_value", message, address, remedies: [{ again: "without" }] });
}

/** Refuses a replacement with values that the server would refuse, because the existing resource is deleted first. */
export function refuseRefused(planning: Planning, comparison: Comparison): Refusal[] {
  return isReplaced(planning, comparison) ? refusedValues(planning, comparison) : [];
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
  { resources, findings }: Planning,
  readsAll: boolean,
  other: ResourceIdentity,
  sort: string,
  need: () => void,
): void {
  const requested = requestedFor(resources);
  const isEnough = requested.size >= mostRead && !requested.has(other.id) && !readsAll;
  if (!isEnough) {
    requested.add(other.id);
    need();
  } else for (const address of addressesOf(other).slice(0, 1)) findings.leaveUnread({ address, sort });
}
