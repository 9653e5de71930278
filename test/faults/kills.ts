import type { Fields } from "../../core/values/json.ts";
import { entriesIn, killSchedules, type ServerOptions, type States } from "./random-schedules.ts";
import type { Listed } from "./belongings.ts";
import { Witness } from "./witness.ts";
import { Child } from "./child-process.ts";
import { type Boundary, moments, Proxy } from "./stopping-proxy.ts";
import { runSeeded, type Seeded } from "./seeded.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";
import { ReferenceComparison } from "./reference-comparison.ts";

/** How many processes are started for one boundary, until one of them gets there. */
const tries = 20;

/** The number of tries and their results. */
export interface KillFigures {
  schedules: number;
  /** Processes that were killed. */
  kills: number;
  /** Processes that ended before the boundary of their kill. */
  ended: number;
  /** Requests that a fault was applied to. */
  faults: number;
  /** What a person has done between a plan and its apply. */
  operations: number;
}

/**
 * Runs seeded schedules of kills one after the other: real processes that plan and apply are ended by SIGKILL at
 * random requests, under faults or without. After that, one run has to bring the server to the very state that it has
 * when nothing ever goes wrong.
 *
 * @throws when an invariant does not hold, with the seed that replays it
 */
export async function runKills(seeded: Seeded): Promise<KillFigures> {
  await using comparison = new ReferenceComparison();
  await using killer = new Killer();
  const { figures } = killer;
  await runSeeded(killSchedules, seeded, async (schedule) => {
    await comparison.compare(schedule, async (stage, requests) => {
      const listed: Listed[] = [];
      for (const { progress, moment, faults, operations } of schedule.kills) {
        const boundary = { request: 1 + Math.floor((progress / 1000) * requests), moment };
        const witness = new Witness(stage, listed);
        const planned = async (losses: readonly Listed[]) => {
          listed.push(...losses);
          figures.operations += await witness.sees(entriesIn(schedule, operations));
        };
        await stage.breaks(...faults);
        await killer.kill(stage, schedule.after, boundary, planned);
        figures.faults += await stage.mend();
        await witness.checks();
      }
    });
    figures.schedules += 1;
  });
  return figures;
}

/**
 * Every request that a process sends whatever its luck, and its three moments. How often it looks whether a clone has
 * appeared and whether what it deletes has gone depends on time; so as many requests count as the shortest of several
 * undisturbed runs has sent.
 */
export async function boundariesOf(
  scenario: States & { server: ServerOptions },
  samples = 5,
): Promise<Boundary[]> {
  await using comparison = new ReferenceComparison();
  await using killer = new Killer();
  let fewest = Infinity;
  for (let left = samples; left > 0; left -= 1)
    await comparison.compare(scenario, async (stage) => {
      fewest = Math.min(fewest, await killer.count(stage, scenario.after));
    });
  return Array.from({ length: fewest }, (_, index) => index + 1).flatMap((request) =>
    moments.map((moment) => ({ request, moment })),
  );
}

/**
 * Kills a process at each of the boundaries of one scenario; every time the next run has to mend it.
 *
 * @throws when one of many processes does not reach its boundary, or an invariant does not hold
 */
export async function runBoundaries(
  scenario: States & { server: ServerOptions },
  boundaries: readonly Boundary[],
): Promise<KillFigures> {
  await using comparison = new ReferenceComparison();
  await using killer = new Killer();
  const { figures } = killer;
  for (const boundary of boundaries) {
    const killsBefore = figures.kills;
    try {
      // A process that has looked less often than the others ends before the last boundaries.
      for (let left = tries; left > 0 && figures.kills === killsBefore; left -= 1)
        await comparison.compare(scenario, (stage) => killer.kill(stage, scenario.after, boundary));
      if (figures.kills === killsBefore) throw new Error(`none of ${tries} processes got there`);
    } catch (error) {
      throw new Error(`killed at ${JSON.stringify(boundary)}: ${String(error)}`, { cause: error });
    }
    figures.schedules += 1;
  }
  return figures;
}

/** Starts and kills processes. */
class Killer {
  readonly figures: KillFigures = { schedules: 0, kills: 0, ended: 0, faults: 0, operations: 0 };
  readonly #proxies = new Map<string, Promise<Proxy>>();
  // One process is always ready, because its start takes longer than its work.
  #next = Child.runner();

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next.kill();
    const proxies = await Promise.all(this.#proxies.values());
    await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
  }

  /**
   * Lets a process bring a server to a state, and kills the process at that boundary.
   *
   * @param planned is told what its plan loses, before the process carries it out
   */
  async kill(
    { connection }: FaultyServer,
    documents: readonly Fields[],
    boundary: Boundary,
    planned?: (losses: readonly Listed[]) => Promise<void>,
  ): Promise<void> {
    const proxy = await this.#proxyOf(connection.url);
    const child = this.#next;
    this.#next = Child.runner();
    const reached = proxy.stopAt(boundary).then(() => child.kill());
    const order = { documents, parallelism: 3, speed: 50, onQuota: "wait" as const };
    const result = await child.order({ ...order, connection: { ...connection, url: proxy.url } }, planned);
    // The order of requests differs from run to run, and so does their number.
    if (result) {
      this.figures.ended += 1;
      // Only a process that sends fewer requests may end by itself.
      if (proxy.count > boundary.request) throw new Error("the process went past the boundary alive");
      return;
    }
    await reached;
    this.figures.kills += 1;
  }

  /** Lets a process bring a server to a state, and returns the number of requests. */
  async count({ connection }: FaultyServer, documents: readonly Fields[]): Promise<number> {
    const proxy = await this.#proxyOf(connection.url);
    const child = this.#next;
    this.#next = Child.runner();
    void proxy.stopAt();
    const order = { documents, parallelism: 3, speed: 50, onQuota: "wait" as const };
    await child.order({ ...order, connection: { ...connection, url: proxy.url } });
    return proxy.count;
  }

  #proxyOf(url: string): Promise<Proxy> {
    const proxy = this.#proxies.get(url) ?? Proxy.open(url);
    this.#proxies.set(url, proxy);
    return proxy;
  }
}
