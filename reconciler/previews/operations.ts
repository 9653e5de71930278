import { counted } from "../../core/values/text.ts";
import { formatReference } from "../../core/model/addresses/address.ts";
import {
  type DeploymentOrder,
  healthOf,
  type HealthState,
  type OrderedService,
  readLinks,
} from "../../core/deployments/index.ts";
import { expiryKey } from "../../core/model/parts/index.ts";
import { type LiveResource, statusOf } from "../../core/state/live/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { Organization } from "../../core/state/organization.ts";
import { defaultPolicy, isChange, type Policy } from "../../core/planning/plan/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import {
  approve,
  type ApprovedPlan,
  execute,
  operate,
  propose,
  type Proposal,
  proposeOperation,
  type Run,
} from "../../core/execution/session/index.ts";
import { isComplete } from "../../core/execution/execute/index.ts";
import { previewName, type PreviewOf, type PreviewPolicy } from "../policy/index.ts";
import { deletionDocument, desiredOf, previewDocuments } from "./documents.ts";
import {
  type ExistingEnvironment,
  existingPreview,
  PreviewError,
  makerFor,
  type Origin,
  type Ownership,
  ownershipOf,
} from "./existing-environment.ts";
import { endOf } from "./label.ts";

/** The parts that deleting previews needs. */
export interface DeletionContext {
  run: Run;
  organization: Organization;
  /** Who makes and deletes them, as their labels say. */
  owner: string;
  /** The rules of the run: protections, policies of the team, and caps. */
  rules: Pick<Policy, "protect" | "protectedElsewhere" | "policies" | "caps" | "before" | "suspended">;
  parallelism: number;
  onQuota: "wait" | "fail";
  /** How many requests may be spent on changes now. */
  affordable(): number;
}

export interface PreviewContext extends DeletionContext {
  policy: PreviewPolicy;
}

/** Milliseconds for which a deployment waits for another one. A caller that tries again need not wait longer. */
const longestBusy = 10_000;

/** A service of a preview, and where it can be reached. */
export interface PreviewLinks {
  name: string;
  urls: string[];
}

/** Makes the preview of a pull request, or brings it up to date. @param isDesired asked right before the first write */
export async function makePreview(
  context: PreviewContext,
  request: PreviewOf,
  isDesired: () => Promise<boolean>,
): Promise<{
  did: "created" | "changed" | "unchanged" | "declined";
  /** The services that the plan has changed, by `kind:name` in lower case. */
  changed: ReadonlySet<string>;
}> {
  const { policy, run, owner, organization } = context;
  const { number } = request;
  const read = async () => {
    const there = await existingPreview(run, organization, policy.from[0], number);
    return there && refuseUnlessOwn(there, owner);
  };
  const present = await read();
  const services = await contentsOf(context, policy.from);
  if (!services) throw new PreviewError(`there is no environment ${formatReference(policy.from)}`);
  const before = typeof present?.label === "object" ? present.label : undefined;
  const label = {
    ends: endOf(policy.expiresAfter, before, run.client),
    lifetime: policy.expiresAfter,
    of: formatReference([policy.from[0], previewName(number)]),
    owner,
  };
  const desired = previewDocuments(policy, request, label, services);
  const rules = { ...defaultPolicy, ...context.rules };
  const proposal = await propose(run, organization, "reconcile", desired, rules);
  // The plan may have seen a preview of somebody else that was not there before; while it is carried out, one may come.
  await read();
  const making: PreviewContext = {
    ...context,
    run: {
      ...run,
      client: makerFor(run.client, owner, [policy.from[0], previewName(number)]),
      leavesUnknown: true,
    },
  };
  const outcome = await carryOut(making, proposal, isDesired);
  const actions = proposal.plan.actions.filter(isChange);
  return {
    did: outcome === "applied" ? (present ? "changed" : "created") : outcome,
    changed: new Set(actions.map(({ address }) => serviceKey(address.kind.slug, address.names.at(-1) ?? ""))),
  };
}

/** `application:api`. */
export function serviceKey(slug: string, name: string): string {
  return `${slug}:${nameKey(name)}`;
}

/** The order that deploys services of a preview, if any; cron jobs only if the policy wants them. @param chosen by `serviceKey`; default: all */
export async function ordersForPreview(
  { run, organization, policy }: PreviewContext,
  number: number,
  chosen?: ReadonlySet<string>,
): Promise<DeploymentOrder[]> {
  const preview = await existingPreview(run, organization, policy.from[0], number);
  const found = preview && (await run.live.contentsOf(run.client, preview.live.kind, preview.live.id, 0));
  if (!preview || !found) throw new PreviewError(`the environment ${previewName(number)} has disappeared`);
  const services: OrderedService[] = found.resources
    .filter(({ kind, name, fields }) => {
      const isIdle = !policy.cronJobs && kind.deployment?.isScheduled?.(fields) === true;
      return kind.deployment && !isIdle && (chosen === undefined || chosen.has(serviceKey(kind.slug, name)));
    })
    .map(({ kind, id, name }) => ({ id, address: { kind, names: [...preview.address.names, name] } }));
  const environment = { address: preview.address, id: preview.live.id };
  return services.length === 0 ? [] : [{ action: "deploy", environment, isWhole: false, services }];
}

/** Deploys services of a preview, without waiting for them. @throws the refusal */
export async function deployPreview(
  context: PreviewContext,
  number: number,
  chosen?: ReadonlySet<string>,
): Promise<void> {
  const { run } = context;
  const orders = await ordersForPreview(context, number, chosen);
  if (orders.length === 0) return;
  const proposal = proposeOperation(run, context.organization, { orders, chosenBy: [] }, context.rules);
  const approved = await agreedOn(context, proposal, () => Promise.resolve(true));
  if (typeof approved === "string") throw new PreviewError("interrupted before the deployment");
  const limits = { ...run.limits, busy: Math.min(run.limits.busy, longestBusy) };
  const [outcome] = await operate(approved, { ...run, limits }, { parallelism: 1 });
  if (outcome?.status === "refused") throw outcome.error;
}

/** The names of the services of a preview, by their health; those that were never deployed are left out. */
export type PreviewHealth = ReadonlyMap<HealthState, readonly string[]>;

/** Reads the health of the services of a preview. @param slowAfter how long a deployment may take, in milliseconds */
export async function healthIn(
  { run: { client, live } }: DeletionContext,
  preview: ExistingEnvironment,
  slowAfter: number,
): Promise<PreviewHealth> {
  const { kind, id } = preview.live;
  const contents = await live.contentsOf(client, kind, id);
  const statuses = await live.statusesOf(client, { kind, id });
  const services = (contents?.resources ?? []).flatMap((service) => {
    const status = service.kind.deployment && statusOf(statuses, service.id);
    const health = status && healthOf(status, client.serverTime, slowAfter);
    return health ? [{ name: service.name, health }] : [];
  });
  const byHealth = Map.groupBy(services, ({ health }) => health);
  return new Map([...byHealth].map(([health, all]) => [health, all.map(({ name }) => name)]));
}

/** Where the services of a preview can be reached: one request for each that has ports. */
export async function linksOfPreview(context: PreviewContext, number: number): Promise<PreviewLinks[]> {
  const { run, policy } = context;
  const preview = await existingPreview(run, context.organization, policy.from[0], number);
  const contents = preview && (await run.live.contentsOf(run.client, preview.live.kind, preview.live.id));
  const services = contents?.resources ?? [];
  const { byId } = await readLinks(run, undefined, services);
  return services.flatMap(({ id, name }) => {
    const urls = (byId.get(id) ?? []).filter((url) => URL.parse(url)?.protocol.startsWith("http"));
    return urls.length > 0 ? [{ name, urls }] : [];
  });
}

/** Whether an environment is a preview of that owner, made to its end or not. */
export function isOwn(existing: ExistingEnvironment, owner: string): boolean {
  return ["own", "unfinished"].includes(ownershipOf(existing, owner));
}

/** @throws PreviewError if the preview is somebody else's, or nobody knows whose */
function refuseUnlessOwn(existing: ExistingEnvironment, owner: string): ExistingEnvironment {
  if (isOwn(existing, owner)) return existing;
  throw new PreviewError(whyLeftAlone(existing, owner));
}

/** Deletes a preview, if its mode, name and label, read afresh, still agree. @param isDesired asked right before the deletion; without it, what was read counts as old */
export async function removePreview(
  context: DeletionContext,
  { number, address, live }: ExistingEnvironment,
  isDesired?: (proposal: Proposal) => Promise<boolean | "yes, after a question">,
): Promise<"applied" | "unchanged" | "declined"> {
  const { run, organization, owner, rules } = context;
  const read = async (isAfresh: boolean) => {
    if (isAfresh) run.live.forget({ id: live.id, parentId: live.parentId });
    const present = await existingPreview(run, organization, address.names[0] ?? "", number);
    if (present && (!isOwn(present, owner) || present.live.id !== live.id))
      throw new PreviewError(whyLeftAlone(present, owner));
    return present;
  };
  const present = await read(!isDesired);
  if (!present) return "unchanged";
  const desired = desiredOf([deletionDocument(present.address)]);
  // Its mode, its name and its label agree, so all of it counts as one for the caps.
  const caps = { count: rules.caps.count < 1 ? 0 : Infinity, percent: 100 };
  const policy = { ...defaultPolicy, ...rules, caps, prune: true, isForThisRun: true };
  const proposal = await propose(run, organization, "destroy", desired, policy);
  return carryOut(context, proposal, async () => {
    if (!isDesired) return true;
    const answer = await isDesired(proposal);
    // A person may take minutes to answer.
    if (answer === "yes, after a question") await read(true);
    return answer !== false;
  });
}

async function carryOut(
  context: DeletionContext,
  proposal: Proposal,
  isDesired: () => Promise<boolean>,
): Promise<"applied" | "unchanged" | "declined"> {
  const approved = await agreedOn(context, proposal, isDesired);
  if (typeof approved === "string") return approved;
  const report = await execute(approved, context.run, { parallelism: context.parallelism });
  if (isComplete(report)) return "applied";
  const failed = report.outcomes.find(
    ({ status, message }) => ["failed", "pending"].includes(status) && message !== undefined,
  );
  throw new PreviewError(failed?.message ?? "not all changes could be made");
}

/** The approval of a proposal, or why nothing is done. @throws InvalidInputError where the rules forbid it, PreviewError */
async function agreedOn(
  { run, onQuota, affordable }: DeletionContext,
  proposal: Proposal,
  isDesired: () => Promise<boolean>,
): Promise<ApprovedPlan | "unchanged" | "declined"> {
  const { refusal, missingConsents, cost } = proposal;
  const shortage = (requests: number, than: string) =>
    new PreviewError(`it takes ${counted(requests, "request")}, more than ${than}`, true);
  if (!refusal && missingConsents.length === 0 && cost.applying > affordable())
    throw shortage(cost.applying, "may be spent now");
  const approval = await approve(proposal, run, { onQuota, confirm: isDesired });
  if (approval.type === "approved") return approval.approved;
  if (approval.type === "refused") throw new InvalidInputError([...approval.problems], approval.code);
  if (approval.type === "unaffordable") throw shortage(approval.requests, "are left");
  return approval.type === "unchanged" ? "unchanged" : "declined";
}

/** The services of the environment that previews are clones of; undefined if it does not exist. */
async function contentsOf(
  { run: { live, client }, organization }: PreviewContext,
  [projectName, environmentName]: PreviewPolicy["from"],
): Promise<LiveResource[] | undefined> {
  const isCalled = (name: string) => (each: LiveResource) => nameKey(each.name) === nameKey(name);
  const projects = await live.contentsOf(client, undefined, organization.id);
  const project = projects?.resources.find(isCalled(projectName));
  const inside = project && (await live.contentsOf(client, project.kind, project.id));
  const environment = inside?.resources.find(isCalled(environmentName));
  const contents = environment && (await live.contentsOf(client, environment.kind, environment.id));
  return contents?.resources.filter(({ kind }) => kind.deployment);
}

/** Why a preview is left alone that is not one's own. @param owner who leaves it alone */
export function whyLeftAlone(existing: ExistingEnvironment, owner: string): string {
  const { address, live, label, origin = "another" } = existing;
  const name = formatReference(address.names);
  const isPreview = live.fields["mode"] === "PREVIEW";
  const reasons: Record<Ownership, string> = {
    foreign:
      typeof origin === "object"
        ? `${origin.startedBy} started this preview and did not finish it, and this run is ${owner}; only the first can continue, and infrasync destroy ${name} deletes it`
        : `it is the preview of ${typeof label === "object" ? label.owner : ""}, and this run is ${owner}; two owners of previews with the same number need a project each`,
    unknown: label
      ? `its variable ${expiryKey} does not name the owner of the preview`
      : ofOrigin(origin, name),
    own: "it was replaced meanwhile",
    unfinished: "it was replaced meanwhile",
    none: !isPreview
      ? "its mode is not PREVIEW, so it is not a preview of infrasync"
      : label
        ? `its variable ${expiryKey} belongs to another environment, so it is not a preview of infrasync`
        : ofOrigin(origin, name),
  };
  return `${name} stays unchanged: ${reasons[ownershipOf(existing, owner)]}`;
}

/** What the events say of an environment without a label, and what a person can do. */
function ofOrigin(origin: Origin, name: string): string {
  const deletion = `infrasync destroy ${name} deletes it`;
  const noLabel = `it has no variable ${expiryKey}, and`;
  if (typeof origin === "object")
    return `the event of its creation names ${origin.startedBy}, and does not prove it with this token, so its owner is unknown; ${deletion}`;
  switch (origin) {
    case "removed":
      return `somebody has removed its variable ${expiryKey}, so its owner is unknown; ${deletion}`;
    case "another":
      return `${noLabel} infrasync did not create it as a preview; ${deletion}`;
    case "unreadable":
      return `${noLabel} the events about its creation cannot be read; ${deletion}`;
    case "late":
      return `${noLabel} no event shows its creation; events may come late: try again in some minutes, or delete it with infrasync destroy ${name}`;
    default:
      return `${noLabel} no event shows its creation; ${deletion}`;
  }
}
