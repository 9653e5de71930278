import { createHash } from "node:crypto";
import { type Address, addressKey, type AnyAddress, formatAddress, parentAddress } from "../address.ts";
import { once, stableJson } from "../json.ts";
import { subjectOf } from "../loss.ts";
import { type Desired, formerAddress } from "../manifest/index.ts";
import { nameKey } from "../names.ts";
import type { Pattern } from "../pattern.ts";
import { type Action, type Goal, type Note, isLiveUpdate, type LiveAction } from "../plan/action.ts";
import { factsOf, updates } from "../plan/action-types.ts";
import { type CausedLoss, isOfStaying, lossesOf, titleOf } from "../plan/losses.ts";
import { type LostResource, liveAddressOf } from "../plan/lost-resources.ts";
import { unreadIn } from "../plan/given.ts";
import { addressBy, addressesOf, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import type { Concern, Planning, Undescribed, Whole } from "../plan/planning.ts";
import type { Policy, RulesBefore } from "../plan/policy.ts";
import { rulesBeforeFor } from "../plan/rules-before.ts";
import type { Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";

/** A protected resource: what protects it, and what would lift the protection. */
export interface Protection {
  /** A subject: `manage.protect of environment:shop/production`. */
  by: string;
  remedies: readonly Remedy[];
  /** Only an earlier commit protects it: the change lifts that, and so must not delete it as well. */
  isLifted?: true;
}

/**
 * The protection of a live resource: `manage.protect` in its document or in that of a parent at any level, also in documents
 * outside the run, or a pattern of the configuration; the same in an earlier commit. A pattern is matched with each of its names, so a new name
 * takes no protection away. Undefined: nothing does.
 */
export function protectionOf(
  inventory: Inventory,
  policy: Policy,
  identity: ResourceIdentity,
): Protection | undefined {
  const { protect, protectedElsewhere = [] } = policy;
  const document =
    protectingDocument(inventory, identity) ?? protectingAmong(protectedElsewhere, identity)?.address;
  if (document) {
    const address = formatAddress(document);
    return { by: byDocument(address), remedies: [{ unprotect: address }] };
  }
  const pattern = patternFor(protect, identity);
  if (pattern)
    return {
      by: `the pattern "${pattern.text}"`,
      remedies: [{ setting: "protect", value: pattern.text }],
    };
  return protectionBefore(policy, identity);
}

/** The protection of a live resource by an earlier commit. */
function protectionBefore(policy: Policy, identity: ResourceIdentity): Protection | undefined {
  for (const { rules, next } of rulesBeforeFor(
    policy,
    addressesOf(identity),
    identity.documents.length > 0,
  )) {
    const by = protectorIn(rules, identity);
    if (by !== undefined && !(next && protectorIn(next, identity)))
      return { by, remedies: [], isLifted: true };
  }
  return undefined;
}

function protectorIn(
  { name, policy, resources }: RulesBefore,
  identity: ResourceIdentity,
): string | undefined {
  const document = protectingAmong(protectedIn(resources), identity);
  if (document) return `${byDocument(formatAddress(document.address))} in ${name}`;
  const pattern = patternFor(policy.protect, identity);
  return pattern && `the pattern "${pattern.text}" in the settings of ${name}`;
}

const protectedIn = once((resources: readonly Desired[]) => resources.filter(({ manage }) => manage.protect));

function patternFor(protect: readonly Pattern[], identity: ResourceIdentity): Pattern | undefined {
  const addresses = identity.names.map((names) => addressBy(identity, names));
  return protect.find((each) => addresses.some((address) => each.matches(address)));
}

/** The patterns that protect in a run: those of the settings, before and after the change. */
function patternsIn({ protect, before = [] }: Policy): Pattern[] {
  return [...protect, ...before.flatMap(({ isOlder, policy }) => (isOlder ? [] : policy.protect))];
}

/** A note that something is kept because of a protection. @param kept `not pruned` */
export function protectedNote({ by, remedies, isLifted }: Protection, kept: string, address: Address): Note {
  const message = `${kept}, because it is protected by ${by}`;
  return { code: "protected", message, address, remedies, isLifted };
}

/** The advice for a change that takes a protection away and deletes what it protected. */
const liftFirst = "lift the protection in a change of its own, and delete in a later one";

function byDocument(address: string): string {
  return `manage.protect of ${address}`;
}

/** The address of the outermost document that protects a resource: it is the same for all that is in it. */
function protectingDocument(inventory: Inventory, identity: ResourceIdentity): Address | undefined {
  const around = identity.parent && protectingDocument(inventory, identity.parent);
  if (around) return around;
  let outermost: Address | undefined;
  for (const address of addressesOf(identity))
    for (let at: Address | undefined = address; at; at = parentAddress(at))
      if (inventory.documentOf(at)?.manage.protect) outermost = at;
  return outermost;
}

/** Of documents that protect, the one that protects a resource or one around it: by an address, a former one or an id. */
function protectingAmong(documents: readonly Desired[], identity: ResourceIdentity): Desired | undefined {
  if (documents.length === 0) return undefined;
  const around = new Set<string>();
  const ids = new Set<string>();
  for (const address of addressesOf(identity))
    for (let at: Address | undefined = address; at; at = parentAddress(at)) around.add(addressKey(at));
  for (let at: ResourceIdentity | undefined = identity; at; at = at.parent) ids.add(at.id.toLowerCase());
  const protects = (document: Desired) => {
    const former = formerAddress(document);
    return (
      around.has(addressKey(document.address)) ||
      (former !== undefined && around.has(addressKey(former))) ||
      ids.has(document.manage.id?.toLowerCase() ?? "")
    );
  };
  return documents.find(protects);
}

/** `manage.protect`, and the patterns of the configuration. */
export const protection: Concern = {
  name: "protection",
  programs: true,
  spare: sparesProtected,
  need: needRenamed,
  guard(whole) {
    const { goal, planning, actions, lostResources } = whole;
    const { inventory, policy } = planning;
    return [
      ...protectionProblems(goal, inventory, policy, lostResources),
      ...lossesOf(actions).flatMap((caused) => protectedPartProblems(goal, inventory, policy, caused)),
      ...unprotectedProblems(whole),
      ...liftedProblems(planning.findings.notes),
    ];
  },
};

function sparesProtected(
  { inventory, policy, findings }: Planning,
  { target, identity }: Undescribed,
): boolean {
  const found = protectionOf(inventory, policy, identity);
  if (found) findings.note(protectedNote(found, "not pruned", target));
  return found !== undefined;
}

/** The most resources that a problem names. */
const mostNamed = 3;

/** A resource that would be lost, what protects it, and the address of the action that would lose it. */
interface ProtectedLoss {
  lost: LostResource;
  protection: Protection;
  cause: string;
}

/**
 * A problem for each cause and each protection: what a deletion takes along, and all that a destroy names, is one
 * problem, and so are all that protect nothing but themselves.
 */
function protectionProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  lostResources: readonly LostResource[],
): Problem[] {
  const found = lostResources.flatMap((lost): ProtectedLoss[] => {
    const its = protectionOf(inventory, policy, lost.identity);
    return its ? [{ lost, protection: its, cause: formatAddress(lost.cause.address) }] : [];
  });
  if (goal !== "destroy")
    return groupedBy(found, ({ cause, protection: { by } }) => `${cause} ${by}`).flatMap((group) =>
      protectionProblem(goal, group),
    );
  const groups = groupedBy(found, ({ protection: { by } }) => by);
  const isAlone = ([only, ...others]: readonly ProtectedLoss[]) =>
    only !== undefined && others.length === 0 && only.protection.by === byDocument(title(only.lost));
  const alone = groups.filter(isAlone).flat();
  return [
    ...groups.filter((group) => !isAlone(group)).flatMap((group) => protectionProblem(goal, group)),
    ...protectionProblem(goal, alone, alone.length > 1 ? "manage.protect of its document" : undefined),
  ];
}

function groupedBy(
  found: readonly ProtectedLoss[],
  keyOf: (loss: ProtectedLoss) => string,
): ProtectedLoss[][] {
  return [...Map.groupBy(found, keyOf).values()];
}

/** One problem for all of a group. @param common what protects each of them, where that is not the same for all */
function protectionProblem(goal: Goal, group: readonly ProtectedLoss[], common?: string): Problem[] {
  const [first, ...others] = group.toSorted(
    (left, right) => Number(!left.lost.own) - Number(!right.lost.own),
  );
  if (!first) return [];
  const { lost, protection: its, cause } = first;
  const becomes = lost.own ? factsOf(lost.own).past : "deleted";
  const along = lost.own ? "" : `, and would be deleted with ${cause}`;
  const more = others.slice(0, mostNamed).map((other) => title(other.lost));
  const rest = others.length > mostNamed ? [`${others.length - mostNamed} more`] : [];
  const also =
    others.length === 0 ? "" : `, as ${others.length === 1 ? "is" : "are"} ${[...more, ...rest].join(", ")}`;
  return [
    {
      code: "protected",
      message: `${title(lost)} cannot be ${becomes}: it is protected by ${common ?? its.by}${also}${along}`,
      ...adviceOn(goal, its),
      address: cause,
    },
  ];
}

/** The problem of a loss of a protected resource that stays: protection covers its variables and data as well. */
function protectedPartProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  caused: CausedLoss,
): Problem[] {
  const { action, loss } = caused;
  const subject = isOfStaying(caused) ? subjectOf(loss) : undefined;
  const identity = subject && inventory.byId.get(subject.id);
  const found = identity && protectionOf(inventory, policy, identity);
  if (!subject || !found) return [];
  const [address, cause] = [subject.address, action.address].map(formatAddress);
  const along =
    address === cause ? "" : `, and would be deleted with ${updates(action) ? `what ${cause} loses` : cause}`;
  return [
    {
      code: "protected",
      message: `${titleOf(caused)} cannot be ${becomesOf(caused)}: ${address} is protected by ${found.by}${along}`,
      ...adviceOn(goal, found),
      address: cause,
    },
  ];
}

function adviceOn(goal: Goal, { remedies, isLifted }: Protection): Pick<Problem, "advice" | "remedies"> {
  if (isLifted) return { advice: `undo the change, or ${liftFirst}` };
  return { ...(goal === "reconcile" && { advice: "undo the change" }), remedies };
}

/** The fate of a lost thing. */
function becomesOf({ loss: { sort } }: CausedLoss): string {
  return sort === "resource" || sort === "part" || sort === "data" ? "deleted" : "lost";
}

/** `job:shop/staging/new (now job:shop/staging/old)`. */
function title(lostResource: LostResource): string {
  const { liveAddress } = liveAddressOf(lostResource.identity, lostResource.names);
  const address = formatAddress(addressBy(lostResource.identity, lostResource.names));
  return liveAddress === undefined ? address : `${address} (now ${formatAddress(liveAddress)})`;
}

/** A live resource that a pattern protects under its present address, and none under its next one. */
interface Bared {
  id: string;
  by: string;
  from: AnyAddress;
  to: AnyAddress;
}

/** Asks for the lists that show which protected resources get other addresses with their parent. */
function needRenamed({ planning: { findings, inventory, live, policy }, actions }: Whole): void {
  const visit = (identity: ResourceIdentity): void => {
    const resource = identity.live;
    const [names = []] = identity.names;
    if (!resource || !patternsIn(policy).some((pattern) => pattern.looksInside(names))) return;
    for (const kind of unreadIn(live, resource.kind, resource.id))
      findings.needList(kind, resource.id, resource);
    for (const inner of identity.contents) visit(inner);
  };
  for (const { identity } of renamings(inventory, actions)) visit(identity);
}

/**
 * The problems of updates that give protected resources names that no pattern protects: the next run could delete them. The
 * document of the renamed resource can consent to just that.
 */
function unprotectedProblems({ planning: { inventory, policy }, actions }: Whole): Problem[] {
  const protect = patternsIn(policy);
  const next = new Map(
    renamings(inventory, actions).map(({ identity, action }) => [
      identity,
      action.address.names.at(-1) ?? "",
    ]),
  );
  return renamings(inventory, actions).flatMap(({ identity, action }): Problem[] => {
    const bared: Bared[] = [];
    const visit = (each: ResourceIdentity, to: readonly string[]): void => {
      const [from = []] = each.names;
      const [before, after] = [addressBy(each, from), addressBy(each, to)];
      const pattern = protect.find((one) => one.matches(before));
      if (pattern && !protect.some((one) => one.matches(after)))
        bared.push({ id: each.id, by: pattern.text, from: before, to: after });
      for (const inner of each.contents)
        // What has a new name of its own has a problem of its own.
        visit(inner, [...to, next.get(inner) ?? inner.name]);
    };
    visit(identity, nextNames(identity, next));
    const [first] = bared;
    if (!first) return [];
    const address = formatAddress(action.address);
    const more =
      bared.length === 1 ? "" : `, and ${bared.length - 1} more in it would lose their protection too`;
    return [
      {
        code: "protected",
        message: `${formatAddress(first.from)} is protected by the pattern "${first.by}", and its new name ${formatAddress(first.to)} is not${more}`,
        advice: "undo the change, or let a pattern protect the new name as well",
        remedies: [{ consent: "unprotect", address, stated: consentTo(bared) }],
        address,
      },
    ];
  });
}

/** The updates that give live resources other names. */
function renamings(
  inventory: Inventory,
  actions: readonly Action[],
): { identity: ResourceIdentity; action: LiveAction }[] {
  return actions.flatMap((action) => {
    if (!isLiveUpdate(action)) return [];
    const identity = inventory.byId.get(action.resourceId);
    const name = action.address.names.at(-1) ?? "";
    return identity && nameKey(identity.name) !== nameKey(name) ? [{ identity, action }] : [];
  });
}

function nextNames(identity: ResourceIdentity, next: ReadonlyMap<ResourceIdentity, string>): string[] {
  const above = identity.parent ? nextNames(identity.parent, next) : [];
  return [...above, next.get(identity) ?? identity.name];
}

/** The consent to just this: another one as soon as another resource, or more of them, would lose their protection. */
function consentTo(bared: readonly Bared[]): string {
  const all = bared.map(({ id, from, to }) => [id, addressKey(from), addressKey(to)]).toSorted();
  return `unprotect-${createHash("sha256").update(stableJson(all)).digest("hex").slice(0, 16)}`;
}

/**
 * The problems of a plan that would leave something alone only because of a protection that the change lifts: the next
 * run would delete it, and nobody would have lifted the protection before.
 */
function liftedProblems(notes: readonly Note[]): Problem[] {
  return notes.flatMap(({ message, address, isLifted }): Problem[] =>
    isLifted && address
      ? [
          {
            code: "protected",
            message: `${formatAddress(address)}: ${message}; nothing that it protected may be deleted in the run that lifts it`,
            advice: liftFirst,
            address: formatAddress(address),
          },
        ]
      : [],
  );
}
