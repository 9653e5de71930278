import {
  type Client,
  type Clock,
  createClient,
  longWait,
  systemClock,
  type Wait,
} from "../../core/api/index.ts";
import { joinLedger, personAt, usualShares, withoutLedger } from "../../adapters/database/join.ts";
import { changeText, FollowedServices } from "../../core/deployments/index.ts";
import type { Fields } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import {
  Cache,
  type Contents,
  type LiveResource,
  LiveStore,
  readOne,
  type EndedRun,
} from "../../core/state/live/index.ts";
import { type Run, startRun } from "../../core/execution/session/index.ts";
import { findOrganization } from "../../core/state/organization.ts";
import type { Part, PartEntry } from "../../core/model/parts/index.ts";
import { UnfinishedCreations } from "./unfinished-creations.ts";
import type { RunLedger } from "./ledger.ts";
import { cachesFor, Keeper } from "./parts-cache.ts";
import type { ProviderSettings } from "./settings.ts";

/** Milliseconds for which a list is reused to check whether a name is taken. No write relies on a reused list. */
export const contentsLife = 15_000;

/** Milliseconds for which checks of one parent wait to share a request: the engine works on several resources. */
const gathering = 50;

/** Milliseconds without another deletion before deletions are sent: the engine writes its state between two of them. */
const quiet = 400;

/** Shows the user a warning, or that a run waits, which a terminal shows only until something else happens. */
export type Warn = (message: string, isWait?: boolean) => void;

/** The shared state of a provider process: one client with one budget, cached lists, and requests under way. */
export class ProviderSession {
  readonly settings: ProviderSettings;
  readonly warn: Warn;
  readonly client: Client;
  readonly run: Run;
  readonly ledger: RunLedger;
  readonly started: UnfinishedCreations;
  /** The checks of replaced resources by id, with warnings, which are rejected if one is refused. */
  readonly successors = new Map<string, Promise<readonly string[]>>();
  /** Waits once for the word about resources that leave a replaced parent. */
  leaving: Promise<void> | undefined;
  /** The number of calls under way. */
  working = 0;
  /** The values that the API has shown once, by resource id, for the state. */
  readonly shown = new Map<string, string>();
  readonly #holders: Cache<LiveResource | undefined>;
  /** Undefined: nothing is saved for later runs. */
  readonly #keeper: Keeper | undefined;
  #organization: Promise<string> | undefined;

  /** @param warn shows the user a warning @param signal ends waits and reads */
  constructor(
    settings: ProviderSettings,
    ledger: RunLedger,
    environment: NodeJS.ProcessEnv,
    warn: Warn,
    signal?: AbortSignal,
    clock: Clock = systemClock,
  ) {
    const { baseUrl, token, scheme, insecureHttp, onQuota, cloneTimeout } = settings;
    this.settings = settings;
    this.warn = warn;
    this.ledger = ledger;
    this.#holders = new Cache(clock, Infinity);
    this.started = new UnfinishedCreations(environment);
    const quotaLedger = joinLedger({
      baseUrl,
      token,
      who: `pulumi (${personAt(environment)})`,
      shares: usualShares,
      environment,
      onAway: (reason) => warn(withoutLedger(reason)),
    });
    const onWait = (wait: Wait) => {
      // One for the quota, which may last an hour, stays in the output.
      const isBrief = wait.reason !== "quota" && wait.reason !== "limited";
      if (wait.reason !== "retry") warn(longWait(wait, clock.now()), isBrief);
    };
    const services = new FollowedServices();
    const { kept, pages } = cachesFor(settings, environment, warn);
    const options = {
      baseUrl,
      token,
      insecureHttp,
      onQuota,
      quotaPatience,
      onWait,
      environment,
      ...(quotaLedger && { ledger: quotaLedger }),
      pages,
      ...(scheme && { scheme }),
      ...(signal && { signal }),
    };
    const client = createClient(options, clock);
    // Programs contain the values of secrets, so secrets have no other source.
    this.run = startRun(client, {
      clock,
      live: new LiveStore(clock, contentsLife, undefined, kept),
      gathering,
      joins: { organizationId: () => this.#organizationId(), quiet },
      onWait,
      onDeployment: (all) => services.changed(all).forEach((each) => warn(changeText(each), true)),
      shown: { keep: async ({ id, value }) => void this.shown.set(id, value) },
      ...(signal && { signal }),
      ...(cloneTimeout !== undefined && { limits: { clone: cloneTimeout } }),
    });
    this.client = this.run.client;
    this.#keeper = kept && new Keeper(this.run.live, async () => this.#ending());
  }

  /** The list of a kind in a parent, which may be some seconds old; undefined if the parent does not exist. */
  listOf(kind: Kind, parentId: string): Promise<Contents | undefined> {
    return this.run.live.listOf(this.client, kind, parentId);
  }

  /** `listOf` with recently created resources that the list does not show yet: usually one request in a run. */
  async completeListOf(kind: Kind, parentId: string): Promise<Contents | undefined> {
    await this.run.live.complete(this.client, await this.#organizationId());
    return this.listOf(kind, parentId);
  }

  /** The list for a refresh or a preview, which reads each list once in a run of any length. */
  listOnce(kind: Kind, parentId: string): Promise<Contents | undefined> {
    if (!kind.parent) this.ledger.organizations.add(parentId);
    return this.run.live.listOf(this.client, kind, parentId, Infinity);
  }

  /**
   * Calls `make` with the parts of a resource: from an earlier run, if they are unchanged since and the state has their
   * values, otherwise from the server.
   *
   * @param before the resource in the state, in manifest form
   */
  async recalled<Result extends object>(
    owner: LiveResource,
    parts: readonly Part[],
    before: Fields,
    make: (entries: readonly PartEntry[] | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { live } = this.run;
    // The API's reports about parts change without an event.
    if (!this.#keeper || parts.length === 0 || parts.some(({ reports }) => reports))
      return make(await live.partsOf(this.client, owner, parts, before));
    const organizationId = this.#organizationOfState ?? (await this.#organizationId());
    live.parts.forgetAged(this.client.serverTime);
    const result = await live.recalled(this.client, organizationId, owner, parts, before, make);
    this.#keeper.keepSoon();
    return result;
  }

  /** Milliseconds since 1970, by the later of the machine's and the server's clock, so that nothing ends too early. */
  get now(): number {
    return Math.max(this.run.clock.now(), this.client.serverTime);
  }

  /** The organization in the state, which saves a request; undefined if there are several. */
  get #organizationOfState(): string | undefined {
    const [only, another] = this.ledger.organizations;
    return another === undefined ? only : undefined;
  }

  /** Ends a call. Saves the known state soon, if no other call is under way. */
  rest(): void {
    if (this.working === 0) this.#keeper?.keepSoon();
  }

  /** Saves the known parts at the end of the run. */
  async end(): Promise<void> {
    await this.#keeper?.end();
  }

  /** The end of this run, if it were now; undefined while a write may be under way, or without a known organization. */
  async #ending(): Promise<Omit<EndedRun, "isOver"> | undefined> {
    const organizationId = this.#organizationOfState ?? (await this.#organization);
    return organizationId === undefined || this.working > 0
      ? undefined
      : { organizationId, end: this.client.serverTime };
  }

  /** A parent, read once in a pass; undefined if it does not exist. */
  holder(kind: Kind, id: string): Promise<LiveResource | undefined> {
    return this.#holders.read(`${kind.slug} ${id}`, () => readOne(this.client, kind, id, ""));
  }

  /** The declared parent, otherwise the organization. */
  async parentIdOf(parentId: string | undefined): Promise<string> {
    return parentId ?? this.#organizationId();
  }

  async #organizationId(): Promise<string> {
    this.#organization ??= findOrganization(this.client, this.settings.organization).then(({ id }) => id);
    try {
      return await this.#organization;
    } catch (error) {
      this.#organization = undefined;
      throw error;
    }
  }
}

/** Milliseconds for which a run with `onQuota: fail` waits after a 429. */
const quotaPatience = 30_000;
