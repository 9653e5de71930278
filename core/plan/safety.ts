import { infrastructureRisk, lacksConsent } from "../rules/infrastructure.ts";
import {
  addressKey,
  type AnyAddress,
  describeAddress,
  formatAddress,
  formatReference,
  nameOf,
} from "../address.ts";
import { holdsServices } from "../kinds/index.ts";
import type { Problem } from "../problem.ts";
import type { Action, Goal, LiveAction } from "./action.ts";
import { addressBy, type Inventory, type Identity } from "./inventory.ts";
import { type LostResource, isLiveDeletion, liveAddressOf } from "./lost-resources.ts";
import { type CausedLoss, isCounted, isOfStaying, lossesOf, titleOf } from "./losses.ts";
import { type BothAddresses, bothAddresses, covers, untargetedProblems } from "./consented.ts";
import { type Loss, subjectOf } from "../loss.ts";
import { alsoOf, dataProblems, lossProblems } from "./loss-consents.ts";
import type { DeletionCaps, Policy } from "./policy.ts";
import { keepsOneProblems } from "./keeps-one.ts";
import { ownUseProblems } from "./own-use.ts";
import { protectionOf } from "./protection.ts";
import { unprotectedProblems } from "./unprotected.ts";
import { factsOf, isChange, isReplacement, updates } from "./action-types.ts";

/** The cap on the share of an environment counts only if the environment has this many services. */
const smallestShare = 10;

/**
 * The reasons why a plan may not take what it takes: a missing consent, a protection, a cap. Each applies to every entry of
 * the ledger.
 *
 * @param actions with everything that is lost because of each
 */
export function safetyProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  actions: readonly Action[],
  lostResources: readonly LostResource[],
): Problem[] {
  const losses = lossesOf(actions);
  const problems: Problem[] = [
    ...actions
      .filter(isLiveDeletion)
      .flatMap((action) => replacementProblems(policy, action, bothAddresses(inventory, action))),
    ...actions.flatMap((action) => infrastructureProblems(inventory, policy, action)),
    ...untargetedProblems(inventory, policy, actions),
    ...keepsOneProblems(inventory, actions, lostResources),
    ...ownUseProblems(inventory, policy, lostResources),
    ...lostResources.flatMap((lostResource) => protectionProblems(goal, inventory, policy, lostResource)),
    ...losses.flatMap((caused) => protectedPartProblems(goal, inventory, policy, caused)),
    ...unprotectedProblems(inventory, policy, actions),
    ...lossProblems(inventory, policy, losses),
    ...lostResources.flatMap((lostResource) => dataProblems(policy, lostResource)),
    ...[...Map.groupBy(lostResources, ({ cause }) => cause)].flatMap(([cause, lost]) =>
      alongProblems(inventory, policy, actions, cause, lost),
    ),
    ...countProblems(policy.caps, losses),
    ...shareProblems(policy, lostResources),
  ];
  return problems.map((problem) => ({ ...problem, blocks: "apply" }));
}

function replacementProblems(policy: Policy, action: LiveAction, both: BothAddresses): Problem[] {
  if (!isReplacement(action) || action.alongWith !== undefined) return [];
  if (covers(policy.allowReplace, both)) return [];
  const address = formatAddress(action.address);
  return [
    {
      code: "replacement",
      message: `${address} must be replaced: ${action.reasons.join("; ")}`,
      advice: "undo the change",
      remedies: [{ consent: "replace", address, ...alsoOf(both) }],
      address,
    },
  ];
}

/** The problem of a resource that costs money or takes others down: one consent for all, and one that names it. */
function infrastructureProblems(inventory: Inventory, policy: Policy, action: Action): Problem[] {
  const { address } = action;
  if (!isChange(action)) return [];
  const { infrastructure, allowReplace } = policy;
  const both = bothAddresses(inventory, action);
  const names = [address, both.liveAddress ?? address].map(nameOf);
  if (!lacksConsent(address.kind, names, infrastructure)) return [];
  if (infrastructure && covers(allowReplace, both)) return [];
  return [
    {
      code: "infrastructure",
      message: `${formatAddress(address)} would be ${factsOf(action).past}: ${infrastructureRisk}`,
      remedies: [
        {
          consent: "infrastructure",
          name: nameOf(address),
          ...(both.liveAddress && { also: nameOf(both.liveAddress) }),
        },
      ],
      address: formatAddress(address),
    },
  ];
}

function protectionProblems(
  goal: Goal,
  inventory: Inventory,
  policy: Policy,
  lostResource: LostResource,
): Problem[] {
  const { identity, own, cause } = lostResource;
  const protection = protectionOf(inventory, policy, identity);
  if (protection === undefined) return [];
  const becomes = own ? factsOf(own).past : "deleted";
  const along = own ? "" : `, and would be deleted with ${formatAddress(cause.address)}`;
  return [
    {
      code: "protected",
      message: `${title(lostResource)} cannot be ${becomes}: it is protected by ${protection.by}${along}`,
      ...(goal === "reconcile" && { advice: "undo the change" }),
      remedies: [protection.remedy],
      address: formatAddress(cause.address),
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
  const protection = identity && protectionOf(inventory, policy, identity);
  if (!subject || !protection) return [];
  const [address, cause] = [subject.address, action.address].map(formatAddress);
  const along =
    address === cause ? "" : `, and would be deleted with ${updates(action) ? `what ${cause} loses` : cause}`;
  return [
    {
      code: "protected",
      message: `${titleOf(caused)} cannot be ${becomesOf(caused)}: ${address} is protected by ${protection.by}${along}`,
      ...(goal === "reconcile" && { advice: "undo the change" }),
      remedies: [protection.remedy],
      ...(cause !== undefined && { address: cause }),
    },
  ];
}

/** What becomes of something that is lost. */
function becomesOf({ loss: { sort } }: CausedLoss): string {
  return sort === "resource" || sort === "part" || sort === "data" ? "deleted" : "lost";
}

/** `job:shop/staging/new (now job:shop/staging/old)`. */
function title(lostResource: LostResource): string {
  const { liveAddress } = liveAddressOf(lostResource.identity, lostResource.names);
  const address = formatAddress(addressBy(lostResource.identity, lostResource.names));
  return liveAddress === undefined ? address : `${address} (now ${formatAddress(liveAddress)})`;
}

/** The problems of resources that are deleted with their parent and have no action of their own. */
function alongProblems(
  inventory: Inventory,
  policy: Policy,
  actions: readonly Action[],
  cause: LiveAction,
  lost: readonly LostResource[],
): Problem[] {
  const along = lost.filter(({ own }) => !own);
  const partial = lost.filter(({ identity }) => identity.mayContainMore);
  if (along.length + partial.length === 0) return [];
  const { address } = cause;
  const document = inventory.documentOf(address);
  const byAddress = new Map(actions.map((action) => [addressKey(action.address), action]));
  const described = along.filter(({ identity }) => isDescribed(identity, byAddress));
  // Data needs a consent of its own, which allows more than a prune does.
  const undescribed = along.filter(
    (lostResource) => !described.includes(lostResource) && lostResource.identity.kind?.isData !== true,
  );
  const isConsented =
    cause.reason === "prune" ||
    cause.reason === "expired" ||
    (policy.prune && document?.manage.prune === true && address.kind.deletesContents === true);
  const about = {
    ...(document && { position: document.position(["name"]) }),
    address: formatAddress(address),
  };
  const problems: Problem[] = [];
  if (described.length > 0)
    problems.push({
      ...about,
      code: "described_contents",
      message: `${describeAddress(address)}: it contains ${counted(described)} that documents describe, that this plan leaves out, and that would be deleted with it: ${namesOf(described)}`,
      advice: `leave ${formatAddress(address)} out`,
      remedies: [{ setting: "targets", value: `${formatReference(address.names)}/**` }],
    });
  if (undescribed.length > 0 && !isConsented)
    problems.push({
      ...about,
      code: "contents",
      message: `${describeAddress(address)}: it contains ${counted(undescribed)} that no document describes and that would be deleted with it: ${namesOf(undescribed)}`,
      ...(holdsServices(address.kind)
        ? { advice: "describe them or move them away", remedies: [{ consent: "prune", document: true }] }
        : { advice: "delete them first, or describe them" }),
    });
  if (partial.length > 0 && !isConsented)
    problems.push({
      ...about,
      code: "contents",
      message: `${describeAddress(address)}: the server lists services by type, so services of other types may be in ${namesOf(partial)}, and would be deleted with it`,
      advice: "check in the web console what it contains",
      remedies: [{ consent: "prune", document: true }],
    });
  return problems;
}

/** Whether a document describes a resource, and no other resource with an action in this plan. */
function isDescribed(identity: Identity, actions: ReadonlyMap<string, Action>): boolean {
  return identity.documents.some((document) => {
    const action = actions.get(addressKey(document.address));
    return !action || action.resourceId === undefined || action.resourceId === identity.id;
  });
}

function counted({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? "resource" : "resources"}`;
}

function namesOf(lostResources: readonly LostResource[]): string {
  const names = lostResources.map(({ identity }) => identity.name);
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
}

/** The problem of too many losses in one run. */
export function countProblems(caps: DeletionCaps, losses: readonly CausedLoss[]): Problem[] {
  const counting = losses.filter(isCounted);
  const count = counting.length;
  if (count <= caps.count) return [];
  const nouns = [...new Set(counting.map(({ loss }) => nounOf(loss)))].toSorted((left, right) =>
    left === "resource" ? -1 : right === "resource" ? 1 : 0,
  );
  // Made here, because it loads the data of languages: a small plan would wait for them.
  const what = new Intl.ListFormat("en").format(nouns.map((noun) => (count === 1 ? noun : `${noun}s`)));
  return [
    {
      code: "too_many",
      message: `${count} ${what} would be deleted or replaced, and the limit is ${caps.count}`,
      advice: "do less at once",
      remedies: [{ setting: "max_deletes", value: String(count) }],
    },
  ];
}

/** What a loss is counted as. */
function nounOf({ sort, what }: Loss): string {
  if (sort === "resource") return "resource";
  return what === "data" ? "data set" : what;
}

function shareProblems({ caps }: Policy, lostResources: readonly LostResource[]): Problem[] {
  const services = lostResources.filter(({ identity }) => isService(identity));
  return [...Map.groupBy(services, ({ identity }) => identity.parent)].flatMap(([parent, lost]) => {
    const [first] = lost;
    if (!parent?.kind?.deletesContents || !first) return [];
    const size = parent.contents.filter(isService).length;
    return shareProblem(caps, addressBy(parent, first.names.slice(0, -1)), lost.length, size) ?? [];
  });
}

/**
 * The problem of too large a share of an environment.
 *
 * @param lost how many of its services are deleted or replaced
 * @param size how many it has
 */
export function shareProblem(
  { percent }: DeletionCaps,
  parent: AnyAddress,
  lost: number,
  size: number,
): Problem | undefined {
  if (size < smallestShare || lost * 100 <= size * percent) return undefined;
  const address = formatAddress(parent);
  return {
    code: "too_many",
    message: `${lost} of the ${size} resources in ${address} would be deleted or replaced, more than ${percent} %`,
    advice: "do less at once",
    remedies: [{ setting: "max_deletes", value: `${Math.ceil((lost * 100) / size)}%` }],
    address,
  };
}

/** Whether a resource is a service, also one of a type without a kind. */
function isService({ kind }: Identity): boolean {
  return kind === undefined || kind.deployment !== undefined;
}
