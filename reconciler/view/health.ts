import { formatAddress } from "../../core/model/addresses/address.ts";
import { NotFoundError, QuotaError } from "../../core/api/index.ts";
import { explained, hasLogs, healthOf, lastLines, readLogs } from "../../core/deployments/index.ts";
import {
  type DeployedStatus,
  isIdle,
  isOutOfDate,
  type Statuses,
  statusOf,
} from "../../core/state/live/index.ts";
import { type Action, deletes, type Plan } from "../../core/planning/plan/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import type { ServiceHealth } from "../decide/index.ts";
import { environmentOf } from "../policy/index.ts";

export interface HealthSettings {
  /** How long a deployment may take, in milliseconds; default: 30 minutes. */
  slowAfter?: number;
  redact?(text: string): string;
  /** Whether the last log line of a failed deployment goes to Git hosts and chats; default: no. */
  sharesLogs?: boolean;
}

/** The health of the managed services. */
export interface ReadHealth {
  /** By the key of the environment. */
  services: ReadonlyMap<string, readonly ServiceHealth[]>;
  /** The keys of the environments whose services could not be read now, so that their health is older. */
  unread: ReadonlySet<string>;
}

/** The validity of the statuses of an environment during a deployment, in milliseconds. */
const belief = 300_000;
const usualTime = 1_800_000;
const longestLine = 300;

/** Reads the health of the managed services: one request for each environment, and one for the log of each failed deployment. */
export class HealthReader {
  readonly #settings: HealthSettings;
  /** When the statuses of an environment with a running deployment were read, by environment id. */
  readonly #read = new Map<string, number>();
  /** When a service with an undated status was first seen at work, by id; milliseconds since 1970 by the server. */
  readonly #undated = new Map<string, number>();
  /** The last read health, by environment id. */
  readonly #last = new Map<string, readonly ServiceHealth[]>();
  /** The last lines of failed deployments, by service and deployment. */
  readonly #lines = new Map<string, readonly string[]>();

  constructor(settings: HealthSettings) {
    this.#settings = settings;
  }

  /** The health of the watched services of a plan. @param hideSecrets called once before log lines are read */
  async read(
    run: Run,
    { actions }: Pick<Plan, "actions">,
    isWatched: (names: readonly string[]) => boolean,
    hideSecrets: () => Promise<void> | undefined,
  ): Promise<ReadHealth> {
    let hidden: Promise<void> | undefined;
    const hide = () => (hidden ??= hideSecrets() ?? Promise.resolve());
    const unread = new Set<string>();
    const services = actions.filter(
      (action) =>
        action.address.kind.deployment !== undefined &&
        action.resourceId !== undefined &&
        !deletes(action) &&
        isWatched(environmentOf(action.address).names),
    );
    const environments = Map.groupBy(services, ({ parent }) => ("id" in parent ? parent.id : undefined));
    const read = [...environments].map(
      async ([id, inside]): Promise<[string, readonly ServiceHealth[]][]> => {
        const [first] = inside;
        if (id === undefined || !first) return [];
        const { key } = environmentOf(first.address);
        const statuses = await this.#statuses(run, id, first);
        if (statuses === "unread") unread.add(key);
        else if (statuses) this.#last.set(id, await this.#healthIn(run, statuses, inside, hide));
        else this.#last.delete(id);
        return [[key, this.#last.get(id) ?? []]];
      },
    );
    return { services: new Map((await Promise.all(read)).flat()), unread };
  }

  /** The statuses in an environment; undefined: it no longer exists; `unread`: the share of the quota is spent. */
  async #statuses(
    { client, live, clock }: Run,
    id: string,
    { address }: Action,
  ): Promise<Statuses | "unread" | undefined> {
    const kind = address.kind.parent;
    if (!kind) return undefined;
    const read = this.#read.get(id);
    if (read !== undefined && clock.now() - read >= belief) live.forgetStatuses(id);
    const isKnown = live.known().statuses.has(id);
    try {
      const statuses = await live.statusesOf(client, { kind, id });
      const isAtWork = [...statuses.services.values()].some(({ state }) => !isIdle(state));
      if (!isAtWork) this.#read.delete(id);
      else if (!isKnown || read === undefined) this.#read.set(id, clock.now());
      return statuses;
    } catch (error) {
      if (error instanceof QuotaError) return "unread";
      // The environment is gone; a later refresh reports it.
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  async #healthIn(
    run: Run,
    statuses: Statuses,
    inside: readonly Action[],
    hide: () => Promise<void>,
  ): Promise<ServiceHealth[]> {
    const { slowAfter = usualTime, sharesLogs = false } = this.#settings;
    const found = inside.flatMap((action) => {
      const reported = statusOf(statuses, action.resourceId ?? "");
      const status = reported && this.#dated(reported, run);
      const health = status && healthOf(status, run.client.serverTime, slowAfter);
      return status && health ? [{ action, status, health }] : [];
    });
    const explainable = new Set(found.filter(({ health }) => health === "failed").slice(0, explained));
    return Promise.all(
      found.map(async (each): Promise<ServiceHealth> => {
        const { action, status, health } = each;
        const lines = explainable.has(each) ? await this.#linesOf(run, action, status, hide) : [];
        return {
          address: formatAddress(action.address),
          health,
          state: status.state,
          started: status.deployedAt,
          ...(isOutOfDate(status) && { isOutOfDate: true }),
          ...(lines.length > 0 && { lines, said: sharesLogs ? lines.at(-1) : undefined }),
        };
      }),
    );
  }

  /** A status with the start of the work, or if the API gives none, the time at which it was first seen. */
  #dated(status: DeployedStatus, { client }: Run): DeployedStatus {
    const { id, state, deployedAt } = status;
    if (deployedAt !== undefined || isIdle(state)) {
      this.#undated.delete(id);
      return status;
    }
    const since = this.#undated.get(id) ?? client.serverTime;
    this.#undated.set(id, since);
    return { ...status, deployedAt: new Date(since).toISOString() };
  }

  async #linesOf(
    { client }: Run,
    { address, resourceId: id = "" }: Action,
    { executionId, deployedAt }: { executionId: string | undefined; deployedAt: string | undefined },
    hide: () => Promise<void>,
  ): Promise<readonly string[]> {
    if (!hasLogs({ address })) return [];
    const key = `${id} ${executionId ?? deployedAt}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const { redact = (text: string) => text } = this.#settings;
    await hide();
    const read = await readLogs(client, { address, id }, lastLines, deployedAt).catch(() => []);
    const lines = read.map(({ message }) => escapeControl(shorten(redact(message), longestLine)));
    for (const other of this.#lines.keys()) if (other.startsWith(`${id} `)) this.#lines.delete(other);
    this.#lines.set(key, lines);
    return lines;
  }
}
