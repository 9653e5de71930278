import { type Address, nameOf } from "../../core/address.ts";
import type { Clock } from "../../core/api/index.ts";
import { type KeptParts, LiveStore } from "../../core/live/index.ts";
import { findOrganization, type Organization } from "../../core/organization.ts";
import { hasChanges, type Policy } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { propose, type Proposal, type Run } from "../../core/session/index.ts";
import type { Repository } from "../../git/index.ts";
import {
  type Attribution,
  deletionLimits,
  everything,
  type Scope,
  type ShareView,
  type View,
  withPromotions,
} from "../decide/index.ts";
import type { AppliedCommit, Memory } from "../memory/index.ts";
import type { Requests } from "../people/index.ts";
import {
  modeOf,
  type OperatorRules,
  readSuspensions,
  type Rules,
  rulesOfSuspensions,
  type Share,
  sharesOf,
  withoutPruning,
} from "../policy/index.ts";
import { type Allowance, Watch } from "../watch/index.ts";
import { type CommitSource, droppedBy, type LoadedCommit } from "./commits.ts";
import { digestsOf } from "./digests.ts";
import { HealthReader, type HealthSettings } from "./health.ts";
import { liveRules } from "./live-rules.ts";
import { forgetNamed } from "./refresh.ts";
import { withRollbacks, type WithRollbacks } from "./rollback.ts";

/** What is looked at. */
export interface ViewSettings extends HealthSettings {
  clock: Clock;
  repository: Pick<Repository, "isAncestor">;
  source: CommitSource;
  /** The organization that is set: a name or an id. */
  organization: string | undefined;
  /** The policy for a commit, which its settings may tighten, and the problems of these settings. */
  policyFor(commit: LoadedCommit): Promise<{ policy: Policy; problems: Problem[] }>;
  /** What the operator has set of the policy; default: nothing. */
  operator?: OperatorRules;
  /** The folder with the suspensions of the operator, which are read in each cycle; default: there are none. */
  suspensions?: string;
  /** What may be spent on looking. */
  allowance: Allowance;
  /** The parts that an earlier process has read; default: none. */
  kept?: KeptParts;
  /** What people have asked for; default: nobody can ask. */
  requests?: Requests;
}

/** A commit and how it is planned. */
export interface InForce {
  commit: LoadedCommit;
  policy: Policy;
}

/** The newest commit, and the one in force: the last without mistakes, as far as one is known. */
export interface Commits {
  newest: LoadedCommit;
  mistakes: readonly Problem[];
  inForce: InForce | undefined;
  /** The rollbacks that are laid over the commit in force. */
  rollbacks: Omit<WithRollbacks, "commit">;
}

/** What was seen, and a way to make further plans of the same. */
export interface Seen {
  view: View;
  plan(scope: Scope): Promise<Proposal>;
}

/** Reads all that decisions depend on. Commits and live state are kept between cycles. */
export class Viewer {
  readonly live: LiveStore;
  readonly #settings: ViewSettings;
  readonly #memory: Memory;
  readonly #isAtWork: (names: readonly string[]) => boolean;
  readonly #watch: Watch;
  readonly #health: HealthReader;
  #organization: Organization | undefined;
  #inForce: InForce | undefined;
  #newest: string | undefined;
  #shares: readonly Share[] = [];

  /** @param isAtWork whether an earlier cycle still waits for the server in an environment or a project */
  constructor(settings: ViewSettings, memory: Memory, isAtWork: (names: readonly string[]) => boolean) {
    this.#settings = settings;
    this.#memory = memory;
    this.#isAtWork = isAtWork;
    this.live = new LiveStore(settings.clock, Infinity, undefined, settings.kept);
    this.#watch = new Watch(settings);
    this.#health = new HealthReader(settings);
  }

  /** The newest commit that was read; undefined: none. */
  get newest(): string | undefined {
    return this.#newest;
  }

  /** What the commit in force describes, as far as a cycle has seen it. */
  get shares(): readonly Share[] {
    return this.#shares;
  }

  /** The commits that were applied in a share, the newest first. */
  historyOf(key: string): AppliedCommit[] {
    return this.#memory.historyOf(key);
  }

  /** The organization, once it was found. */
  get organization(): Organization | undefined {
    return this.#organization;
  }

  /** Reads the newest commit. @throws GitError */
  async commits(): Promise<Commits> {
    await this.#memory.read();
    const newest = await this.#settings.source.newest(this.#memory.wholeCommit);
    this.#newest = newest.commit;
    const { policy, problems } = await this.#settings.policyFor(newest);
    const mistakes = [...newest.problems, ...problems];
    this.#inForce =
      mistakes.length === 0 ? { commit: newest, policy } : (this.#inForce ?? (await this.#remembered()));
    return { newest, mistakes, ...(await this.#withRollbacks(this.#inForce)) };
  }

  async #withRollbacks(inForce: InForce | undefined): Promise<Pick<Commits, "inForce" | "rollbacks">> {
    const { requests, source } = this.#settings;
    await requests?.open();
    if (!inForce || !requests) return { inForce, rollbacks: { rolledBack: new Map(), over: [] } };
    const { commit, ...rollbacks } = await withRollbacks(inForce.commit, requests, source);
    return { inForce: { ...inForce, commit }, rollbacks };
  }

  /** The commit that an earlier process has applied: the last one without mistakes, as far as this one knows. */
  async #remembered(): Promise<InForce | undefined> {
    const { source, policyFor } = this.#settings;
    const applied = this.#memory.wholeCommit;
    const commit = applied && (await source.earlier(applied));
    if (!commit) return undefined;
    const { policy, problems } = await policyFor(commit);
    return commit.problems.length + problems.length === 0 ? { commit, policy } : undefined;
  }

  /**
   * Reads live state, as far as it may have changed, and plans everything.
   *
   * @param affordable how many requests may be spent on changes now
   */
  async see(
    run: Run,
    { newest, mistakes, rollbacks: { rolledBack } }: Commits,
    { commit, policy }: InForce,
    affordable: number,
  ): Promise<Seen> {
    const { clock, operator = {}, requests } = this.#settings;
    const memory = this.#memory;
    const organization = (this.#organization ??= await findOrganization(
      run.client,
      this.#settings.organization,
    ));
    await this.#watch.follow(run.client, organization.id, this.live);
    for (const names of requests?.takeRefreshes() ?? []) forgetNamed(this.live, organization.id, names);
    const inForce = { ...policy, leaveFailed: true, remembered: (address: Address) => memory.idOf(address) };
    const rulesOf = await this.#rules(run, organization, commit, inForce);
    const resources = withoutPruning(commit.resources, rulesOf);
    const plan = ({ includes: scope }: Scope) =>
      propose(run, organization, "reconcile", resources, { ...inForce, scope });
    const whole = await plan(everything);
    await memory.remember({ type: "planned", resources, plan: whole.plan });
    const health = await this.#health.read(run, whole.plan, (names) => isWatched(rulesOf(names)));
    const isWholeApplied = memory.isApplied(commit);
    this.#shares = sharesOf(resources);
    const digests = digestsOf(commit.resources);
    const shares = this.#shares.map((share): ShareView => {
      const { key } = share;
      const rollback = rolledBack.get(key);
      const isApplied = rollback
        ? memory.rolledBackTo(key) === rollback.tree
        : memory.rolledBackTo(key) === undefined && (isWholeApplied || memory.isAppliedIn(key, commit));
      const applied = rollback && isApplied ? rollback.commit : memory.appliedIn(key);
      const asked = requests?.askedIn(key);
      const digest = digests.get(key) ?? "";
      const healthySince = memory.healthySince(key, digest);
      return {
        ...share,
        rules: rulesOf(share.names),
        isApplied,
        health: health.get(key) ?? [],
        digest,
        ...(healthySince !== undefined && { healthySince }),
        ...(applied !== undefined && { applied }),
        ...(asked && { asked }),
        ...(rollback && { rolledBack: { commit: rollback.commit, by: rollback.by } }),
      };
    });
    const isApplied = isWholeApplied && shares.every((share) => share.isApplied);
    const isNews = !isApplied && (whole.refusal !== undefined || hasChanges(whole.plan));
    const dropped =
      isNews && mistakes.length === 0
        ? await droppedBy(commit, memory.commits(), this.#settings.repository)
        : undefined;
    const view: View = {
      now: clock.now(),
      commit: newest.commit,
      mistakes,
      isApplied,
      isTargeted: policy.targets.length > 0,
      rulesOf,
      affordable,
      shares,
      plans: new Map([[everything.key, whole]]),
      refused: [],
      undone: memory.undoneFor(commit),
      ledger: {
        tree: commit.tree,
        limits: deletionLimits(commit.policy, policy, operator),
        deletions: memory.deletions,
      },
      ...(dropped !== undefined && { dropped }),
    };
    return { view: withPromotions(view), plan };
  }

  /** Who has changed the resource of an action last, by what and when, as far as the events say so. */
  readonly authorOf: Attribution = (action) =>
    this.#watch.authorOf({
      ...(action.resourceId !== undefined && { id: action.resourceId }),
      name: nameOf(action.address),
      ...("id" in action.parent && { environmentId: action.parent.id }),
    });

  async #rules(
    run: Run,
    organization: Organization,
    { resources, policy: commitPolicy }: LoadedCommit,
    policy: Policy,
  ): Promise<(names: readonly string[]) => Rules> {
    const { clock, operator, suspensions: folder } = this.#settings;
    const suspensions = folder === undefined ? [] : rulesOfSuspensions(await readSuspensions(folder));
    const now = clock.now();
    const sources = { run, organization, resources, policy, commitPolicy, now };
    const stated = await liveRules({ ...sources, operator: { ...operator, suspensions } });
    return (names) => (this.#isAtWork(names) ? { ...stated(names), atWork: true } : stated(names));
  }
}

/** Whether the policy wants anybody to look. */
function isWatched(rules: Rules): boolean {
  return modeOf(rules, true) !== "off" || modeOf(rules, false) !== "off";
}
