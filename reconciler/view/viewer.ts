import { type AnyAddress, nameOf } from "../../core/model/addresses/address.ts";
import type { Client, Clock } from "../../core/api/index.ts";
import { LiveStore } from "../../core/state/live/index.ts";
import { findOrganization, type Organization } from "../../core/state/organization.ts";
import { type Action, unmanagedIn } from "../../core/planning/plan/index.ts";
import { type Attribution, everything, type PlanTargets, scopeOf, withPromotions } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { noRules } from "../people/index.ts";
import { isWatched, type Environment, environmentsOf } from "../policy/index.ts";
import { type SharedRefreshes, type Subject, Watch } from "../watch/index.ts";
import { claimOf, claimProblems, contestOf } from "./source-conflicts.ts";
import { DeletionCount } from "./deletion-count.ts";
import { Coverage } from "./coverage.ts";
import { FirstRefresh } from "./first-refresh.ts";
import { documentDigests } from "./digests.ts";
import { HealthReader } from "./health.ts";
import type { Commits, InForce } from "./in-force.ts";
import { idsNamed, parentIds, stillUnread, environmentsIn } from "./known-plans.ts";
import { inventoryIn, planScope, type ScopePlan } from "./plan-scope.ts";
import { RefreshRuns } from "./refresh-runs.ts";
import { type EnvironmentServices, environmentServices } from "./environment-services.ts";
import type { Snapshot, ViewSettings } from "./settings.ts";
import { environmentViews } from "./environment-views.ts";
import { viewOf } from "./view-of.ts";

/** Reads the live state on which decisions depend, and keeps it between cycles. */
export class Viewer {
  readonly live: LiveStore;
  readonly runs: RefreshRuns;
  readonly #settings: ViewSettings;
  readonly #machine: Clock;
  readonly #memory: Memory;
  readonly #isAtWork: (names: readonly string[]) => boolean;
  readonly #watch: Watch;
  readonly #health: HealthReader;
  readonly #deletions: DeletionCount;
  readonly #firstRefresh: FirstRefresh;
  readonly #contest: ReturnType<typeof contestOf>;
  readonly #coverage: Coverage;
  readonly #withoutAddresses = new Set<string>();
  organization: Organization | undefined;
  /** The content of the commit in force, by the last cycle. */
  environments: readonly Environment[] = [];

  /** @param isAtWork whether an earlier cycle still waits for the server in an environment or a project */
  constructor(settings: ViewSettings, memory: Memory, isAtWork: (names: readonly string[]) => boolean) {
    this.#settings = settings;
    this.#memory = memory;
    this.#isAtWork = isAtWork;
    const { machine = settings.clock } = settings;
    this.#machine = machine;
    this.live = new LiveStore(machine, Infinity, undefined, settings.cache);
    this.#watch = new Watch({ ...settings, clock: machine });
    this.#coverage = new Coverage(settings.rateBudget, memory);
    this.runs = new RefreshRuns(settings, this.live, this.#coverage);
    this.#health = new HealthReader(settings);
    this.#deletions = new DeletionCount(memory, settings.program);
    this.#contest = contestOf(settings.others);
    const changedAt = (action: Action) => this.#watch.hints.lastOf(subjectOf(action))?.time;
    this.#firstRefresh = new FirstRefresh({ source: settings.source, changedAt }, memory);
  }

  /** Refreshes resources that may have changed, and plans everything. @param affordable for changes now @param isOwn whether it takes no reads of others */
  async see(
    client: Client,
    shared: SharedRefreshes | undefined,
    commits: Commits,
    inForce: InForce,
    affordable: number,
    isOwn = false,
  ): Promise<Snapshot> {
    const { clock, requests, rateBudget } = this.#settings;
    const { commit } = inForce;
    const memory = this.#memory;
    this.runs.begin();
    this.#coverage.begin(commit);
    const refreshes = requests.takeRefreshes();
    const isQuiet = memory.isApplied(commit) && refreshes.length === 0;
    // If requests are scarce, the reads of others first show whether there is anything to do.
    const sharing = shared?.begin(rateBudget, isOwn || (!isQuiet && !rateBudget.isScarce));
    const isBorrowed = sharing !== undefined && sharing.since !== Infinity;
    const age = isBorrowed ? this.#machine.now() - sharing.since : 0;
    const reading = sharing ? client.sharing(sharing) : client;
    const { organization, again } = await this.#follow(client, reading, refreshes, age);
    this.environments = environmentsOf(commit.resources);
    for (const { names } of environmentsIn(this.environments, this.#watch.named, this.live.known()))
      this.#coverage.want(names);
    const planning = {
      ...this.#settings,
      organization,
      inForce,
      rolledBack: commits.rollbacks.rolledBack,
      commitRules: (await this.#settings.commitRules?.()) ?? noRules,
      memory,
      firstRefresh: this.#firstRefresh,
      isAtWork: this.#isAtWork,
    };
    const planWith = (most: number) => {
      const run = this.runs.start(reading, most);
      return (scope: Pick<PlanTargets, "includes" | "leaves">) => planScope(run, planning, scope);
    };
    const lists = isQuiet ? again : undefined;
    const { known, planned } = await this.#coverage.plan(this.environments, commit, lists, planWith);
    this.#watch.looked(this.live, organization.id);
    const { rulesOf, resources, proposal: whole, secrets } = planned;
    const isKnown =
      known.length === this.environments.length ? everything : scopeOf(known, this.environments);
    const plan = async ({ includes, leaves }: PlanTargets) => {
      this.runs.count(client);
      const both = (address: AnyAddress) => includes(address) && isKnown.includes(address);
      return (await planWith(this.#coverage.affordable)({ includes: both, leaves })).proposal;
    };
    await memory.planned(resources, whole.plan);
    const start = () => this.runs.start(client, this.#coverage.affordable);
    await this.#deletions.ask(start, organization, whole.plan, clock.now());
    await memory.saw(resources, secrets);
    this.runs.count(client);
    const statuses = this.runs.start(reading, this.#coverage.affordable);
    const hideSecrets = () => this.#settings.hideSecrets?.(commit.resources, true);
    const isRead = (names: readonly string[]) => isWatched(rulesOf(names));
    const health = await this.#health.read(statuses, whole.plan, isRead, hideSecrets);
    const environments = await this.#viewsOf(organization, inForce, planned, health, planning.rolledBack);
    this.runs.count(client);
    this.#coverage.end(environments);
    const found = { commits, inForce, plan: planned };
    const view = await viewOf(found, { environments, affordable }, this.#settings, memory, this.#deletions);
    return { view: withPromotions(view), plan, isBorrowed };
  }

  /** Reads the events since the last refresh. `again`: the number of lists that are read again because of them. */
  async #follow(
    client: Client,
    reading: Client,
    refreshes: readonly (readonly string[])[],
    age: number,
  ): Promise<{ organization: Organization; again: number }> {
    const following = this.runs.start(reading);
    const organization = await this.findOrganization(following.client);
    for (const names of refreshes) {
      if (names.length > 0) this.#coverage.want(names);
      this.#watch.ask(names.length > 0 ? idsNamed(this.live, organization.id, names) : "everything");
    }
    const counted = () => this.runs.count(client, "all");
    const again = await this.#watch.follow(following.client, organization.id, this.live, counted, age);
    await this.#deletions.saw(this.#watch.deletions, following.client, this.#settings.clock.now());
    return { organization, again };
  }

  /** The present environments, after other sources were requested their claims. */
  async #viewsOf(
    organization: Organization,
    { commit }: InForce,
    { rulesOf, proposal: { plan } }: ScopePlan,
    health: Awaited<ReturnType<HealthReader["read"]>>,
    rolledBack: Commits["rollbacks"]["rolledBack"],
  ): Promise<ReturnType<typeof environmentViews>> {
    const { clock, requests } = this.#settings;
    const memory = this.#memory;
    const live = { organization, now: clock.now(), ...this.live.known() };
    const ids = parentIds(plan.actions);
    const claim = claimOf(organization.id, documentDigests(commit.resources), plan);
    const conflicts = await this.#contest.conflicts(claim);
    const views = environmentViews(this.environments, {
      now: clock.now(),
      memory,
      commit,
      rolledBack,
      rulesOf,
      health,
      known: this.#coverage.known,
      claimed: claimProblems(conflicts, plan),
      unmanaged: unmanagedIn(live, commit.resources, inventoryIn(this.#memory)),
      unread: stillUnread(plan, live),
      requestedIn: (key) => requests.requestedIn(key),
      knowledgeOf: (key) => {
        const id = ids.get(key);
        return id === undefined ? undefined : this.#watch.knowledgeOf(this.live, id);
      },
    });
    await memory.failed(views.map(({ key, rollout }) => ({ key, failures: rollout?.failures })));
    return views;
  }

  /** The services of each environment, by the keys of the environments; addresses are read while the page is open. */
  async services(client: Client, { commit }: InForce): Promise<Map<string, EnvironmentServices>> {
    const organization = await this.findOrganization(client);
    const { forVisitor } = this.#settings.rateBudget;
    const run = this.runs.start(client, forVisitor);
    return environmentServices(run, organization.id, {
      environments: this.environments,
      documents: commit.resources,
      most: forVisitor,
      failed: this.#withoutAddresses,
    });
  }

  async findOrganization(client: Client): Promise<Organization> {
    if (this.organization) return this.organization;
    const organization = await findOrganization(client, this.#settings.organization);
    await this.#memory.inOrganization(organization.id, this.#settings.clock.now());
    this.organization = organization;
    return organization;
  }

  /** Whether another source has a new claim on resources of this one: asked before the first write. */
  isContested(): Promise<boolean> {
    return this.#contest.isContested();
  }

  /** The last author of a change of a resource, as far as the events tell. */
  readonly authorOf: Attribution = (action) => this.#watch.hints.lastOf(subjectOf(action))?.author;
}

function subjectOf({ resourceId, address, parent }: Action): Subject {
  return { id: resourceId, name: nameOf(address), ...("id" in parent && { environmentId: parent.id }) };
}
