import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, spawnInfrasync } from "../cli/child.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { checkAftermath, openIn, untouched, untouchedIn } from "./reconciler-aftermath.ts";
import { Author, serviceToken } from "./reconciler-author.ts";
import { disturbServer, endFaults } from "./reconciler-disturbances.ts";
import { randomOf } from "./simulated-time.ts";

/** What happened in a storm. */
export interface StormFigures {
  pushes: number;
  /** Changes by others. */
  drift: number;
  /** Requests that met a fault. */
  faults: number;
  /** Times in which the repository was away. */
  gitOutages: number;
  kills: number;
  /** Cycles that have failed. */
  failed: number;
  /** How long after the last fault all was in step, in seconds. */
  secondsToStep: number;
}

/** How long a storm is, in milliseconds. */
export interface StormTimes {
  length: number;
  /** The longest pause between two disturbances. */
  pause: number;
  /** The longest time that an outage of the server or the repository takes. */
  outage: number;
}

/** How long the service may need after the last fault, in milliseconds. */
const longestToStep = 120_000;

/**
 * A service as a process of its own, while people push, others change live resources, the server answers 429 and 500 and
 * drops connections, the repository is away, and the process is killed.
 *
 * @throws when all is not in step within two minutes after the last fault, or anything is lost or there twice
 */
export async function runStorm(
  seed: number,
  { length, pause, outage }: StormTimes,
  report: (figures: StormFigures) => void = () => {},
): Promise<StormFigures> {
  const random = randomOf(seed);
  const figures: StormFigures = {
    pushes: 0,
    drift: 0,
    faults: 0,
    gitOutages: 0,
    kills: 0,
    failed: 0,
    secondsToStep: 0,
  };
  await using server = await Harness.start({ rateLimit: 1_000_000, allowDuplicateNames: true });
  using origin = new GitRepository();
  const author = new Author(origin, random);
  await server.reconcile(untouched);
  const before = await untouchedIn(server);
  const push = (how: () => string) => {
    how();
    figures.pushes += 1;
  };
  push(() => author.begin());
  await using service = new Service(origin, server, await serviceToken(server));
  service.start();

  let outageEnds = 0;
  let repositoryEnds = 0;
  const isAway = () => repositoryEnds > 0;
  const endOutage = async () => {
    figures.faults += await endFaults(server);
    outageEnds = 0;
  };
  const bringBack = () => {
    renameSync(`${origin.origin}.away`, origin.origin);
    repositoryEnds = 0;
  };
  const disturbances: [share: number, disturb: () => Promise<void> | void][] = [
    [4, () => (isAway() ? undefined : push(() => author.change()))],
    [
      4,
      async () => {
        figures.drift += await disturbServer(server, random);
      },
    ],
    [
      1,
      async () => {
        if (outageEnds > 0) return;
        await server.api("POST", "/_emulator/faults", [faultOf(random)]);
        outageEnds = Date.now() + random() * outage;
      },
    ],
    [
      1,
      () => {
        if (isAway()) return;
        renameSync(origin.origin, `${origin.origin}.away`);
        figures.gitOutages += 1;
        repositoryEnds = Date.now() + random() * outage;
      },
    ],
    [
      1,
      async () => {
        await service.kill();
        figures.kills += 1;
        service.start();
      },
    ],
  ];
  const drawn = disturbances.flatMap(([share, disturb]) => Array.from({ length: share }, () => disturb));
  for (const over = Date.now() + length; Date.now() < over;) {
    await drawn[Math.floor(random() * drawn.length)]?.();
    await sleep(random() * pause);
    if (outageEnds > 0 && Date.now() >= outageEnds) await endOutage();
    if (isAway() && Date.now() >= repositoryEnds) bringBack();
    figures.failed = service.failed;
    report(figures);
  }
  await endOutage();
  if (isAway()) bringBack();
  // Another commit also ends a fight about a field that was changed too often.
  push(() => author.finish());

  const calm = Date.now();
  for (;;) {
    const open = await openIn(server, author);
    figures.secondsToStep = (Date.now() - calm) / 1000;
    if (open.length === 0) break;
    if (figures.secondsToStep * 1000 > longestToStep)
      throw new Error(`two minutes after the last fault, these differ: ${open.join(", ")}\n${service.last}`);
    await sleep(500);
  }
  await checkAftermath(server, author, before);
  await service.stop();
  return { ...figures, failed: service.failed };
}

/** The service as a process, killed and started again with the same data folder. */
class Service implements AsyncDisposable {
  readonly #start: () => Child;
  #child: Child | undefined;
  #log = "";

  constructor({ origin, folder }: GitRepository, { emulator }: Harness, token: string) {
    const flags = `--path infra --allow-local-repo --yes --prune --on-drift apply --allow-replace ** --max-deletes 100000,100% --interval 2s --listen off`;
    const more = ["--max-deletes-per-day", "100000", "--budget-share", "look=40,apply=60"];
    this.#start = () =>
      spawnInfrasync(
        [
          "reconcile",
          ...flags.split(" "),
          ...more,
          "--repo",
          `file://${origin}`,
          "--data",
          join(folder, "data"),
        ],
        {
          PATH: process.env["PATH"] ?? "",
          INFRASYNC_BASE_URL: emulator.url,
          INFRASYNC_TOKEN: token,
        },
      );
  }

  start(): void {
    const child = this.#start();
    this.#child = child;
    child.process.stderr.on("data", (chunk: Buffer) => void (this.#log += String(chunk)));
  }

  async kill(): Promise<void> {
    this.#child?.process.kill("SIGKILL");
    await this.#child?.ended;
    this.#child = undefined;
  }

  /** @throws when it does not end well */
  async stop(): Promise<void> {
    this.#child?.process.kill("SIGTERM");
    const ended = await this.#child?.ended;
    this.#child = undefined;
    if (ended?.code !== 0) throw new Error(`the service has ended with ${ended?.code}: ${this.last}`);
  }

  /** How many cycles have failed. */
  get failed(): number {
    return this.#log.split("the cycle has failed").length - 1;
  }

  /** The last lines of its log. */
  get last(): string {
    return this.#log.slice(-8000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** A way in which the server fails for a while. */
function faultOf(random: () => number): object {
  const ways = [
    { status: 429, headers: { "retry-after": "3" } },
    { status: 429 },
    { method: "POST", status: 429, headers: { "retry-after": "1" } },
    { status: 500 },
    { status: 503 },
    { method: "GET", path: "/environment/*/services", status: 502 },
    { method: "POST", path: "/environment/*/job", status: 500 },
    { method: "PUT", path: "/job/*", status: 500 },
    { method: "DELETE", path: "/job/*", status: 500 },
    { drop: "before" },
    { method: "PUT", drop: "after" },
    { method: "POST", path: "/environment/*/job", drop: "after" },
    { method: "DELETE", drop: "after" },
    { method: "GET", truncate: 20 },
  ];
  return ways[Math.floor(random() * ways.length)] ?? {};
}
