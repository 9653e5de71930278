import { type Address, formatAddress, parseAddress } from "../../../core/model/addresses/address.ts";
import type { Outcome } from "../../../core/execution/execute/index.ts";
import {
  type ActionType,
  type Cause,
  isChange,
  makeAction,
  type Plan,
} from "../../../core/planning/plan/index.ts";
import type { Problem } from "../../../core/problems/problem.ts";
import { type RunResult, type Proposal, withProblems } from "../../../core/execution/session/index.ts";
import {
  type CycleEffects,
  conclude,
  decide,
  everything,
  approvalEffect,
  viewsWithApproval,
  holderOf,
  type Rollout,
  type FinalDecision,
  type PlanTargets,
  type EnvironmentView,
  type ServiceHealth,
  type Undone,
  type View,
  withPromotions,
} from "../../../reconciler/decide/index.ts";
import { identityOfUser } from "../../../reconciler/identity.ts";
import { type OperatorRules, readPolicy, rulesFor } from "../../../reconciler/policy/index.ts";
import { frozen, frozenMembers } from "../../fixtures/frozen.ts";
import type { PersonRequest } from "../../../reconciler/requests/index.ts";
import { digestIn } from "../../../reconciler/decide/approvals.ts";
import { environmentOf, environmentsOf } from "../../../reconciler/policy/environments.ts";
import { inWords } from "../cycle-words.ts";

const anna = identityOfUser("anna");

/** What differs between a commit and live state, and under what rules; all else is in step. */
export interface World {
  /** What a plan of everything does, such as `update job:shop/staging/a`. */
  plan: readonly string[];
  /** The policy file. */
  policy?: string;
  operator?: OperatorRules;
  /** The time; default: noon of a Monday. */
  now?: string;
  /** The environments to which the documents were applied before, so that differences are drift. */
  applied?: "all" | readonly string[];
  /** Changes that are drift in the other environments: `update job:shop/staging/a`. */
  drift?: readonly string[];
  /** Environments in which the server is still at work. */
  atWork?: readonly string[];
  /** What a change needs: it is in each plan that has the change. */
  needs?: Record<string, string>;
  /** What forbids plans with the resource: as a mistake, or until there is a consent. */
  mistaken?: readonly string[];
  unconsented?: readonly string[];
  /** The most deletions of a plan. */
  cap?: number;
  /** Nobody knows what was deleted in the last day. */
  uncounted?: boolean;
  /** Earlier deletions of the day, and the limit. */
  day?: { deleted: number; limit: number };
  /** Secrets of these resources cannot be read, which shows when a plan is approved. */
  unreadable?: readonly string[];
  /** The newest commit has mistakes. */
  mistakes?: boolean;
  /** The commit drops the applied one. */
  dropped?: boolean;
  /** The environments that have not been read yet. */
  unread?: readonly string[];
  isTargeted?: boolean;
  /** What people have requested in environments; `approve`: the plan as it is, `approve another`: one that has changed since. */
  requested?: Record<string, "sync" | "approve" | "approve another">;
  /** What somebody else sets again and again: fields are `cpu`, and these resources wait. */
  fought?: readonly string[];
  /** What is live in environments and in no document. */
  unmanaged?: Record<string, readonly string[]>;
  /** Whether the repository cannot be read. */
  isAway?: boolean;
  /** Requests that may be spent on changes. */
  affordable?: number;
  /** How services fare after their last deployments; the others were never deployed. */
  health?: Record<string, ServiceHealth["health"]>;
  /** The environments whose services could not be read. */
  healthUnread?: readonly string[];
  /** The waves of services: `job:shop/staging/a: [1, 3]` is the first of three. */
  waves?: Record<string, readonly [number: number, of: number]>;
  /** How the commit came to environments, and what was healthy before; the digest of their documents is their key. */
  rollouts?: Record<string, Rollout>;
  /** The environments in which an earlier commit is in force, because a person has requested it. */
  rolledBack?: readonly string[];
  /** Since when environments have been in step and healthy. */
  healthySince?: Record<string, string>;
  /** What becomes of a plan that is approved. */
  fails?: readonly string[];
  goesOn?: readonly string[];
  ending?: Exclude<RunResult["type"], "refused" | "applied" | "unchanged">;
}

/** What a cycle does in a world. */
export interface Settled extends CycleEffects {
  /** The cycle in a word, and what is left. */
  words: ReturnType<typeof inWords>;
  /** The actions that were sent. */
  sent: string[];
  /** How each environment stands: `shop/staging`. */
  states: Record<string, string>;
  /** The numbers of plans that were made. */
  plans: number;
}

export const documents = [
  "project:shop",
  "environment:shop/staging",
  "job:shop/staging/a",
  "job:shop/staging/b",
  "environment:shop/production",
  "job:shop/production/a",
  "job:shop/production/b",
];

const environments = environmentsOf(documents.map((text) => ({ address: known(text) })));
const noon = "2026-11-23T12:00:00Z";
export const newest = "c".repeat(40);

/**
 * One cycle without server and repository: decides, plans from the world, and decides again. Throws when a decision or a
 * conclusion changes something that it was given.
 */
export function settle(world: World): Settled {
  let first = withPromotions(frozenMembers(viewOf(world)));
  for (let rounds = 0; rounds < 10; rounds += 1) {
    const { view, decision } = decided(world, first);
    const approvals = [...viewsWithApproval(view, decision)].map(
      ([key, approved]) => [key, approvalEffect(key, decided(world, approved).decision)] as const,
    );
    const proposal = decision.type === "apply" ? decision.proposal : undefined;
    const ending = proposal && carryOut(world, proposal);
    if (ending?.type === "refused") {
      first = { ...view, refused: [...view.refused, ...ending.problems] };
      continue;
    }
    const conclusion = conclude(view, frozen(decision), frozen(ending), () => undefined, new Map(approvals));
    const states = (conclusion.environmentStates ?? []).map(({ environment, state }) => [environment, state]);
    return {
      ...conclusion,
      words: inWords({
        commit: newest,
        mistakes: view.mistakes,
        stopped: conclusion.stopped,
        spent: 0,
        ...(conclusion.environmentStates && { environments: conclusion.environmentStates }),
        enacted:
          ending?.type === "applied" && proposal ? [{ plan: proposal.plan, report: ending.report }] : [],
        whole: {
          actions: view.plans.get(everything.key)?.plan.actions ?? [],
          environments: view.environments,
          documents: new Map(),
        },
      }),
      sent:
        ending?.type === "applied" && proposal
          ? proposal.plan.actions.filter(isChange).map(({ id }) => id)
          : [],
      states: Object.fromEntries(states) as Record<string, string>,
      plans: view.plans.size,
    };
  }
  throw new Error("no decision after ten rounds");
}

/** The view of a world, the decision about it, and what makes further plans. */
export function decisionIn(world: World) {
  const { view, decision } = decided(world, withPromotions(viewOf(world)));
  return { view, decision, plan: (scope: PlanTargets) => plan(world, scope) };
}

/** The decision about a view, with the plans that it needs. */
function decided(world: World, first: View): { view: View; decision: FinalDecision } {
  for (let view = frozenMembers(first); ;) {
    const decision = decide(view);
    if (decision.type !== "plan") return { view, decision };
    const plans = new Map(view.plans);
    for (const scope of decision.scopes) plans.set(scope.key, plan(world, scope));
    view = frozenMembers({ ...view, plans });
  }
}

function viewOf(world: World): View {
  const { policy: file = "{}", operator = {}, applied = [], atWork = [], day } = world;
  const now = Date.parse(world.now ?? noon);
  const { policy, problems } = readPolicy(Buffer.from(file), "policy.yaml");
  if (problems.length > 0) throw new Error(problems[0]?.message);
  const rulesOf = (names: readonly string[]) => ({
    ...rulesFor(names, policy, operator, now),
    ...(atWork.includes(names.join("/")) && { atWork: true as const }),
  });
  const whole = plan(world, everything);
  const requestedIn = ({ name }: { name: string }): PersonRequest | undefined => {
    const type = world.requested?.[name];
    if (type === undefined || type === "sync") return type && { type, by: anna };
    const actions = whole.plan.actions.filter(({ address }) => environmentOf(address).name === name);
    return {
      type: "approve",
      by: anna,
      plan: type === "approve" ? digestIn(whole.plan, actions) : "another",
    };
  };
  return {
    now,
    commit: newest,
    isUnread: world.isAway ?? false,
    mistakes: world.mistakes ? [{ code: "invalid", message: "a mistake" }] : [],
    isApplied: applied === "all",
    isTargeted: world.isTargeted ?? false,
    rulesOf,
    waveOf: (address) => {
      const [number, of] = world.waves?.[formatAddress(address)] ?? [];
      return number === undefined || of === undefined ? undefined : { number, of };
    },
    affordable: world.affordable ?? Infinity,
    environments: environments.map((environment): EnvironmentView => ({
      ...environment,
      ...withRequested(requestedIn(environment)),
      rules: rulesOf(environment.names),
      isKnown: world.unread?.includes(environment.name) !== true,
      isApplied: applied === "all" || applied.includes(environment.name),
      ...(world.healthUnread?.includes(environment.name) && { isHealthUnread: true }),
      health: Object.entries(world.health ?? {}).flatMap(([address, health]) =>
        environmentOf(address).key === environment.key
          ? [{ address, health, started: new Date(now - 60_000).toISOString() }]
          : [],
      ),
      digest: environment.key,
      ...(world.rollouts?.[environment.name] && { rollout: world.rollouts[environment.name] as Rollout }),
      ...(world.rolledBack?.includes(environment.name) && {
        rolledBack: { commit: newest, by: anna, at: "2026-12-01T08:00:00.000Z" },
      }),
      ...(world.unmanaged?.[environment.name] && { unmanaged: world.unmanaged[environment.name] ?? [] }),
      ...withTime(world.healthySince?.[environment.name]),
    })),
    plans: new Map([[everything.key, whole]]),
    refused: [],
    undone: Object.fromEntries(
      (world.fought ?? []).map((address): [string, Undone] => [
        `${address} cpu`,
        { owner: "", document: "", times: [now - 1000], pause: 300_000 },
      ]),
    ),
    ledger: {
      tree: "tree",
      limits: { commit: Infinity, day: day?.limit ?? Infinity },
      countedSince: world.uncounted ? undefined : -Infinity,
      deletions: Array.from({ length: day?.deleted ?? 0 }, (_, index) => ({
        at: now - 1000,
        tree: "other",
        title: `job:${index}`,
        isDone: true,
      })),
    },
    ...(world.dropped && { dropped: "d".repeat(40) }),
  };
}

function withRequested(requested: PersonRequest | undefined): Pick<EnvironmentView, "requested"> {
  return requested ? { requested } : {};
}

/** What the planner would make of a scope: what is in it, and what that needs. */
function plan(world: World, scope: PlanTargets): Proposal {
  const { needs = {}, mistaken = [], unconsented = [], unread = [], cap = Infinity } = world;
  const chosen = new Set(
    world.plan
      .filter((text) => scope.includes(known(addressIn(text))))
      .filter((text) => !unread.includes(environmentOf(addressIn(text)).name)),
  );
  for (const text of chosen) {
    const needed = needs[text];
    const stays = needed?.startsWith("update ") && scope.leaves(known(addressIn(needed)));
    if (needed !== undefined && !stays) chosen.add(needed);
  }
  const actions = [...chosen]
    .filter((text) => !mistaken.includes(addressIn(text)))
    .map((text) => actionOf(text, causeIn(world, text)));
  const addresses = new Set([...chosen].map(addressIn));
  const deletions = actions.filter(({ type }) => type === "delete").length;
  const problems: Problem[] = [
    ...mistaken
      .filter((address) => addresses.has(address))
      .map((address): Problem => ({ code: "reference", message: "there is no such registry", address })),
    ...unconsented
      .filter((address) => addresses.has(address))
      .map((address): Problem => ({
        code: "loss",
        message: "needs a consent",
        address,
        blocks: "apply",
        remedies: [{ consent: "replace", address }],
      })),
    ...(deletions > cap
      ? [{ code: "too_many" as const, message: `${deletions} would be deleted`, blocks: "apply" as const }]
      : []),
  ];
  const made: Plan = {
    goal: "reconcile",
    organization: { id: "organization" },
    actions,
    problems: [],
    notes: [],
    at: 0,
    spent: 0,
  };
  return withProblems({ plan: made } as Proposal, problems);
}

function known(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is not an address`);
  return address;
}

function addressIn(text: string): string {
  return text.split(" ")[1] ?? "";
}

function causeIn({ applied = [], drift = [] }: World, text: string): Cause {
  const isApplied = applied === "all" || applied.includes(holderName(addressIn(text)));
  return isApplied || drift.includes(text) ? "drift" : "commit";
}

/** The environment of a resource; one without a document has that of its parent. */
function holderName(address: string): string {
  return holderOf(environments, address)?.name ?? "";
}

function actionOf(text: string, cause: Cause): Plan["actions"][number] {
  const [type = "", address = ""] = text.split(" ");
  return makeAction({
    type: type as ActionType,
    address: known(address),
    parent: { id: "parent" },
    cause,
    ...(type !== "create" && { resourceId: `id of ${address}` }),
    ...(type === "update" && { changes: [{ path: ["cpu"], before: 750, after: 500 }] }),
  });
}

/** What `approve` and `execute` would do. */
function carryOut(world: World, { plan: { actions } }: Proposal): RunResult {
  const { unreadable = [], fails = [], goesOn = [], ending } = world;
  if (ending === "declined" || ending === "interrupted") return { type: ending };
  if (ending === "unaffordable")
    return {
      type: ending,
      requests: 7,
      shortage: { by: "quota", left: 0, resetAt: undefined, window: 1000 },
    };
  const missing = actions
    .map(({ address }) => formatAddress(address))
    .filter((each) => unreadable.includes(each));
  if (missing.length > 0)
    return {
      type: "refused",
      code: "invalid_input",
      problems: missing.map((address) => ({
        code: "secret",
        message: `${address}: KEY is not set`,
        address,
      })),
    };
  const outcomes = actions.map(({ id, address, type }): Outcome => {
    const isDone = !fails.includes(formatAddress(address)) && !goesOn.includes(formatAddress(address));
    const goesOnItself = type === "deploy" && isDone;
    return { id, address, type, status: isDone ? "done" : "failed", ...(goesOnItself && { goesOn: true }) };
  });
  const going = actions.map(({ address }) => address).filter((each) => goesOn.includes(formatAddress(each)));
  return {
    type: "applied",
    report: { outcomes, spent: { total: 0 } as never, ...(going.length > 0 && { goesOn: going }) },
  };
}

function withTime(since: string | undefined): Pick<EnvironmentView, "healthySince"> {
  return since === undefined ? {} : { healthySince: Date.parse(since) };
}
