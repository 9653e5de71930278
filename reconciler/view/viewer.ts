import { type AnyAddress, nameOf } from "../../core/model/addresses/address.ts";
import type { Client, Clock } from "../../core/api/index.ts";
import { LiveStore, type Subject } from "../../core/state/live/index.ts";
import { findOrganization, type Organization } from "../../core/state/organization.ts";
import { type Action, hasChanges, unmanagedIn, wavesOf } from "../../core/planning/plan/index.ts";
import { type Run, startRun } from "../../core/execution/session/index.ts";
import {
  type Attribution,
  deletionLimits,
  everything,
  type PlanTargets,
  scopeOf,
  type View,
  withPromotions,
} from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { unbounded } from "../people/index.ts";
import { isWatched, type Share, shareKeyOf, sharesOf } from "../policy/index.ts";
import { type SharedLooks, Watch } from "../watch/index.ts";
import { claimOf, claimProblems, Contest } from "./claimed.ts";
import { commitPoliciesOf } from "./commit-rules.ts";
import { droppedBy, type LoadedCommit } from "./commits.ts";
import { DeletionCount } from "./counted.ts";
import { FirstLook } from "./first-look.ts";
import { documentMarks } from "./digests.ts";
import { HealthReader } from "./health.ts";
import type { Commits, InForce } from "./in-force.ts";
import { idsNamed, parentIds, planKnown, stillUnread, type PlannedShares, sharesIn } from "./known.ts";
import { inventoryIn, type PlannableScope, planScope } from "./plan-scope.ts";
import type { Snapshot, ViewSettings } from "./settings.ts";
import { keysOfDiffering, shareViews } from "./share-views.ts";

/** How many requests a check of known state may need, beside the lists that it reads again. */
const quietSlack = 20;

/** A plan of documents in a scope, and what it was made of. */
type Planned = Awaited<ReturnType<typeof planScope>>;

/** Reads live state, as far as decisions depend on it. Live state is kept between cycles. */
export class Viewer {
  readonly live: LiveStore;
  readonly #settings: ViewSettings;
  readonly #machine: Clock;
  readonly #memory: Memory;
  readonly #isAtWork: (names: readonly string[]) => boolean;
  readonly #watch: Watch;
  readonly #health: HealthReader;
  readonly #deletions: DeletionCount;
  readonly #firstLook: FirstLook;
  /** The runs of this look, and how many of their requests are counted. */
  #runs: Run[] = [];
  #counted = 0;
  /** The shares of which everything was known in the last look, by their keys. */
  #known: ReadonlySet<string> = new Set();
  /** The shares that events or people have named and that are not known yet. */
  readonly #wanted = new Set<string>();
  #organization: Organization | undefined;
  readonly #contest: Contest;
  #shares: readonly Share[] = [];
  /** The documents whose secrets are hidden before log lines are read, and the work of that in this look. */
  #described: LoadedCommit["resources"] = [];
  #hiding: Promise<void> | undefined;
  /** Whether nothing was known before this look. */
  #isFirst = true;
  /** Whether a commit is not applied, or no look since has read all of it: the share for applying pays for its reads too. */
  #isForCommit = false;

  /** @param isAtWork whether an earlier cycle still waits for the server in an environment or a project */
  constructor(settings: ViewSettings, memory: Memory, isAtWork: (names: readonly string[]) => boolean) {
    this.#settings = settings;
    this.#memory = memory;
    this.#isAtWork = isAtWork;
    const { machine = settings.clock } = settings;
    this.#machine = machine;
    this.live = new LiveStore(machine, Infinity, undefined, settings.kept);
    this.#watch = new Watch({ ...settings, clock: machine });
    this.#health = new HealthReader({
      ...settings,
      beforeLines: () =>
        (this.#hiding ??= settings.hideSecrets?.(this.#described, true) ?? Promise.resolve()),
    });
    this.#deletions = new DeletionCount(memory, settings.program);
    this.#contest = new Contest(settings.claims);
    const changedAt = (action: Action) => this.#watch.changedAt(subjectOf(action));
    this.#firstLook = new FirstLook({ source: settings.source, changedAt }, memory);
  }

  /** The content of the commit in force, by the last cycle. */
  get shares(): readonly Share[] {
    return this.#shares;
  }

  /** The organization, once it was found. */
  get organization(): Organization | undefined {
    return this.#organization;
  }

  /**
   * Reads live state, as far as it may have changed, and plans everything.
   *
   * @param looks what it shares with others that look at the same
   * @param affordable how many requests may be spent on changes now
   * @param isOwn whether it takes nothing from others; so it does also if there is something to do
   */
  async see(
    client: Client,
    looks: SharedLooks | undefined,
    commits: Commits,
    inForce: InForce,
    affordable: number,
    isOwn = false,
  ): Promise<Snapshot> {
    const { clock, requests, allowance } = this.#settings;
    const { commit } = inForce;
    const memory = this.#memory;
    this.#runs = [];
    this.#counted = 0;
    const refreshes = requests?.takeRefreshes() ?? [];
    const isQuiet = memory.isApplied(commit) && refreshes.length === 0;
    this.#isForCommit ||= memory.wholeCommit !== undefined && !memory.isApplied(commit);
    // If requests are scarce, the reads of others first show whether there is anything to do.
    const sharing = looks?.begin(allowance, isOwn || (!isQuiet && !allowance.isScarce));
    const isBorrowed = sharing !== undefined && sharing.since !== Infinity;
    const age = isBorrowed ? this.#machine.now() - sharing.since : 0;
    const reading = sharing ? client.sharing(sharing) : client;
    const { organization, again } = await this.#follow(client, reading, refreshes, age);
    this.#described = commit.resources;
    this.#hiding = undefined;
    this.#shares = sharesOf(commit.resources);
    this.#isFirst = this.#known.size === 0;
    const planning = {
      ...this.#settings,
      organization,
      inForce,
      rolledBack: commits.rollbacks.rolledBack,
      bounds: (await this.#settings.bounds?.()) ?? unbounded,
      memory,
      firstLook: this.#firstLook,
      isAtWork: this.#isAtWork,
    };
    const planOf = (reader: Run, scope: PlannableScope) => planScope(reader, planning, scope);
    const { known, planned } = await this.#planKnown(reading, commit, isQuiet ? again : undefined, planOf);
    this.#watch.looked(this.live, organization.id);
    const { rulesOf, resources, proposal: whole, secrets } = planned;
    const isKnown = known.length === this.#shares.length ? everything : scopeOf(known, this.#shares);
    const plan = async ({ includes, leaves }: PlanTargets) => {
      this.count(client);
      const reader = this.#start(reading, this.#affordable);
      const both = (address: AnyAddress) => includes(address) && isKnown.includes(address);
      return (await planOf(reader, { includes: both, leaves })).proposal;
    };
    await memory.remember({ type: "planned", resources, plan: whole.plan });
    const start = () => this.#start(client, this.#affordable);
    await this.#deletions.ask(start, organization, whole.plan, clock.now());
    await memory.remember({ type: "seen", resources, secrets });
    this.count(client);
    const statuses = this.#start(reading, this.#affordable);
    const health = await this.#health.read(statuses, whole.plan, (names) => isWatched(rulesOf(names)));
    const shares = await this.#viewShares(organization, inForce, planned, health, planning.rolledBack);
    this.count(client);
    this.#isForCommit &&= shares.some((share) => !share.isApplied || !share.isKnown || share.isHealthUnread);
    const view = await this.#viewOf(commits, inForce, planned, shares, affordable);
    return { view: withPromotions(view), plan, isBorrowed };
  }

  /** What a look has found, with what the memory says about it. */
  async #viewOf(
    { newest, mistakes, unread }: Commits,
    { commit, policy, before }: InForce,
    { rulesOf, resources, proposal: whole }: Planned,
    shares: View["shares"],
    affordable: number,
  ): Promise<View> {
    const { clock, operator = {}, repository, deleters } = this.#settings;
    const memory = this.#memory;
    const isApplied = shares.every((share) => share.isApplied);
    const isNews = !isApplied && (whole.refusal !== undefined || hasChanges(whole.plan));
    return {
      now: clock.now(),
      commit: newest.commit,
      mistakes,
      isUnread: unread !== undefined,
      isApplied,
      isTargeted: policy.targets.length > 0,
      rulesOf,
      waveOf: wavesOf(resources),
      affordable,
      shares,
      plans: new Map([[everything.key, whole]]),
      refused: [],
      undone: memory.undoneTo(documentMarks(commit.resources)),
      ledger: {
        tree: commit.tree,
        limits: deletionLimits([commit.policy, ...commitPoliciesOf(before)], policy, operator),
        deletions: await this.#deletions.named(deleters),
        countedSince: memory.countedSince,
      },
      dropped:
        isNews && mistakes.length === 0 ? await droppedBy(commit, memory.commits(), repository) : undefined,
    };
  }

  /** Reads what has happened since the last look. `again`: how many lists are read again because of it. */
  async #follow(
    client: Client,
    reading: Client,
    refreshes: readonly (readonly string[])[],
    age: number,
  ): Promise<{ organization: Organization; again: number }> {
    const following = this.#start(reading);
    const organization = await this.findOrganization(following.client);
    for (const names of refreshes) this.#refresh(organization.id, names);
    const counted = () => this.count(client, "all");
    const again = await this.#watch.follow(following.client, organization.id, this.live, counted, age);
    await this.#deletions.saw(this.#watch.deletions, following.client, this.#settings.clock.now());
    return { organization, again };
  }

  /**
   * Plans as many shares as the allowance pays for: first those that are known, named or new.
   *
   * @param again how many lists a quiet check reads again; undefined if there is more to do
   */
  async #planKnown(
    reading: Client,
    commit: LoadedCommit,
    again: number | undefined,
    planOf: (reader: Run, scope: PlannableScope) => Promise<Planned>,
  ): Promise<PlannedShares<Planned>> {
    const { allowance } = this.#settings;
    const { unknown, first: least } = allowance.lookingBudget;
    const first = this.#first(commit);
    // A quiet check may need a few requests more than the lists that it reads again.
    const most = Math.min(this.#affordable, again === undefined ? Infinity : 2 * again + quietSlack);
    const more = first.length === this.#shares.length ? 0 : this.#isFirst ? least : unknown;
    await allowance.keep(unknown === Infinity ? 0 : Math.max(most, more), this.#isForCommit);
    const run = this.#start(reading, most);
    const others = this.#start(reading, more);
    const { known, planned } = await planKnown(
      this.#shares,
      first,
      (scope) => planOf(run, scope),
      more > 0 ? (scope) => planOf(others, scope) : undefined,
    );
    this.#known = new Set(known.map(({ key }) => key));
    for (const { key } of known) this.#wanted.delete(key);
    return { known, planned };
  }

  /** The shares as they stand, after others were asked what they want of the same. */
  async #viewShares(
    organization: Organization,
    { commit }: InForce,
    { rulesOf, proposal: { plan } }: Planned,
    health: Awaited<ReturnType<HealthReader["read"]>>,
    rolledBack: Commits["rollbacks"]["rolledBack"],
  ): Promise<ReturnType<typeof shareViews>> {
    const { clock, requests } = this.#settings;
    const memory = this.#memory;
    const live = { organization, now: clock.now(), ...this.live.known() };
    const ids = parentIds(plan.actions);
    const claim = claimOf(organization.id, documentMarks(commit.resources), plan);
    const conflicts = await this.#contest.conflicts(claim);
    const views = shareViews(this.#shares, {
      now: clock.now(),
      memory,
      commit,
      rolledBack,
      rulesOf,
      health,
      known: this.#known,
      claimed: claimProblems(conflicts, plan),
      undescribed: unmanagedIn(live, commit.resources, inventoryIn(this.#memory)),
      unread: stillUnread(plan, live),
      askedIn: (key) => requests?.askedIn(key),
      knowledgeOf: (key) => {
        const id = ids.get(key);
        return id === undefined ? undefined : this.#watch.knowledgeOf(this.live, id);
      },
    });
    const failed = views.map(({ key, rollout }) => ({ key, failures: rollout?.failures }));
    await memory.remember({ type: "failures", shares: failed });
    return views;
  }

  /** The organization, read once. */
  async findOrganization(client: Client): Promise<Organization> {
    if (this.#organization) return this.#organization;
    const organization = await findOrganization(client, this.#settings.organization);
    const now = this.#settings.clock.now();
    await this.#memory.remember({ type: "organization", id: organization.id, now });
    this.#organization = organization;
    return organization;
  }

  /** A person wants an environment or a project read anew, or everything. */
  #refresh(organizationId: string, names: readonly string[]): void {
    if (names.length === 0) return this.#watch.ask("everything");
    this.#wanted.add(shareKeyOf(names));
    return this.#watch.ask(idsNamed(this.live, organizationId, names));
  }

  /** The shares that come first: those that are known, those that an event has named, and those that another commit than the first changes. */
  #first({ resources }: LoadedCommit): Share[] {
    for (const { key } of sharesIn(this.#shares, this.#watch.named, this.live.known())) this.#wanted.add(key);
    const { wholeCommit, documents = {} } = this.#memory;
    const changed = wholeCommit
      ? keysOfDiffering(this.#shares, documents, documentMarks(resources))
      : new Set();
    return this.#shares.filter(
      ({ key }) => this.#known.has(key) || this.#wanted.has(key) || changed.has(key),
    );
  }

  /** The requests that may read now what events name, and what a commit changes. */
  get #affordable(): number {
    const { lookingBudget, lendable } = this.#settings.allowance;
    const { suspects, first } = lookingBudget;
    return (this.#isFirst ? Math.max(suspects, first) : suspects) + (this.#isForCommit ? lendable : 0);
  }

  /** Whether another source has begun to want something of this one: asked before the first write. */
  isContested(): Promise<boolean> {
    return this.#contest.isContested();
  }

  /** The requests of this look. */
  get spent(): number {
    return this.#runs.reduce((sum, { client }) => sum + client.spent.total, 0);
  }

  /** Counts the requests of this look that are not counted yet. @param purpose `all`: others take what they have brought */
  count({ budget }: Pick<Client, "budget">, purpose?: "all"): void {
    const { spent } = this;
    const isForCommit = this.#isForCommit && purpose === undefined;
    this.#settings.allowance.looked(spent - this.#counted, budget, isForCommit ? "commit" : purpose);
    this.#counted = spent;
  }

  #start(client: Client, most = Infinity): Run {
    const { run: settings } = this.#settings;
    const cap = most === Infinity ? {} : { maxRequests: most };
    const run = startRun(client, { ...settings, ...cap, live: this.live, clock: this.#machine });
    this.#runs.push(run);
    return run;
  }

  /** Who has changed the resource of an action last, by what and when, as far as the events say so. */
  readonly authorOf: Attribution = (action) => this.#watch.authorOf(subjectOf(action));
}

/** The resource of an action, as events name it. */
function subjectOf({ resourceId, address, parent }: Action): Subject {
  return {
    id: resourceId,
    name: nameOf(address),
    ...("id" in parent && { environmentId: parent.id }),
  };
}
