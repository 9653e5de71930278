import { type Address, nameOf } from "../../core/address.ts";
import type { Clock } from "../../core/api/index.ts";
import { LiveStore } from "../../core/live/index.ts";
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
import type { Memory } from "../memory/index.ts";
import {
  modeOf,
  type OperatorRules,
  readSuspensions,
  type Rules,
  rulesOfSuspensions,
  sharesOf,
  withoutPruning,
} from "../policy/index.ts";
import { type Allowance, Watch } from "../watch/index.ts";
import { type CommitSource, droppedBy, type LoadedCommit } from "./commits.ts";
import { digestsOf } from "./digests.ts";
import { HealthReader, type HealthSettings } from "./health.ts";
import { liveRules } from "./live-rules.ts";

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

  /** @param isAtWork whether an earlier cycle still waits for the server in an environment or a project */
  constructor(settings: ViewSettings, memory: Memory, isAtWork: (names: readonly string[]) => boolean) {
    this.#settings = settings;
    this.#memory = memory;
    this.#isAtWork = isAtWork;
    this.live = new LiveStore(settings.clock);
    this.#watch = new Watch(settings);
    this.#health = new HealthReader(settings);
  }

  /** The newest commit that was read; undefined: none. */
  get newest(): string | undefined {
    return this.#newest;
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
    return { newest, mistakes, inForce: this.#inForce };
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
    { newest, mistakes }: Commits,
    { commit, policy }: InForce,
    affordable: number,
  ): Promise<Seen> {
    const { clock, operator = {} } = this.#settings;
    const memory = this.#memory;
    const organization = (this.#organization ??= await findOrganization(
      run.client,
      this.#settings.organization,
    ));
    await this.#watch.follow(run.client, organization.id, this.live);
    const inForce = { ...policy, leaveFailed: true, remembered: (address: Address) => memory.idOf(address) };
    const rulesOf = await this.#rules(run, organization, commit, inForce);
    const resources = withoutPruning(commit.resources, rulesOf);
    const plan = ({ includes: scope }: Scope) =>
      propose(run, organization, "reconcile", resources, { ...inForce, scope });
    const whole = await plan(everything);
    await memory.remember({ type: "planned", resources, plan: whole.plan });
    const health = await this.#health.read(run, whole.plan, (names) => isWatched(rulesOf(names)));
    const isApplied = memory.isApplied(commit);
    const isNews = !isApplied && (whole.refusal !== undefined || hasChanges(whole.plan));
    const dropped =
      isNews && mistakes.length === 0
        ? await droppedBy(commit, memory.commits(), this.#settings.repository)
        : undefined;
    const digests = digestsOf(commit.resources);
    const view: View = {
      now: clock.now(),
      commit: newest.commit,
      mistakes,
      isApplied,
      isTargeted: policy.targets.length > 0,
      rulesOf,
      affordable,
      shares: sharesOf(resources).map((share): ShareView => {
        const applied = memory.appliedIn(share.key);
        const digest = digests.get(share.key) ?? "";
        const healthySince = memory.healthySince(share.key, digest);
        return {
          ...share,
          rules: rulesOf(share.names),
          isApplied: isApplied || memory.isAppliedIn(share.key, commit),
          health: health.get(share.key) ?? [],
          digest,
          ...(healthySince !== undefined && { healthySince }),
          ...(applied !== undefined && { applied }),
        };
      }),
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
