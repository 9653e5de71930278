import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isFields } from "../../core/values/json.ts";
import { createClient } from "../../core/index.ts";
import { Variables } from "../../core/source/variables.ts";
import { withAdvice } from "../../cli/render/remedies.ts";
import { checkCommitState } from "./commit-state.ts";
import { type CycleResult, Journal } from "../../reconciler/journal/index.ts";
import { Reconciler } from "../../reconciler/service/cycle.ts";
import { GitError, Repository } from "../../adapters/git/index.ts";
import { Memory } from "../../reconciler/memory/index.ts";
import { RateBudget } from "../../reconciler/watch/index.ts";
import { serve } from "../../reconciler/service/service.ts";
import { CommitSource } from "../../reconciler/view/commits.ts";
import { anybody } from "../../reconciler/identity.ts";
import type { Pause } from "../../reconciler/policy/index.ts";
import { Requests } from "../../reconciler/requests/index.ts";
import { HintBox } from "../../reconciler/webhook/index.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { checkCycle, checkStates, type RulesOfCycle } from "./reconciler-invariants.ts";
import { checkAftermath, openIn, untouched, untouchedIn } from "./reconciler-aftermath.ts";
import { Author, serviceToken } from "./reconciler-author.ts";
import { disturbServer, endFaults } from "./reconciler-disturbances.ts";
import { randomOf, SimulatedTime } from "../fixtures/simulated-time.ts";
import { inWords } from "../reconciler/cycle-words.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const minute = 60_000;
const hour = 60 * minute;

/** How many resources may be deleted in a day. */
const deletesPerDay = 3;

/** The share of changes by others that no event tells: the rotation finds them within an hour. */
const silently = 0.2;

/** What happened in simulated days. */
export interface DayFigures {
  /** Days that ended in step. */
  days: number;
  cycles: number;
  failed: number;
  pushes: number;
  /** Changes by others. */
  drift: number;
  /** Times in which the server or the repository failed. */
  outages: number;
  restarts: number;
  requests: number;
  /** Requests that met a fault. */
  faults: number;
  /** The most requests in a window of the quota. */
  mostInWindow: number;
  /** Resources that the service has deleted within their cap. */
  deletions: number;
  /** Environments that a failed deployment has left unhealthy at the end of a day. */
  unhealthy: number;
}

export const noDays = (): DayFigures => ({
  days: 0,
  cycles: 0,
  failed: 0,
  pushes: 0,
  drift: 0,
  outages: 0,
  restarts: 0,
  requests: 0,
  faults: 0,
  mostInWindow: 0,
  deletions: 0,
  unhealthy: 0,
});

/** A repository whose remote is asked only when somebody has pushed, and that can be out of reach. */
class WatchedRepository extends Repository {
  isOut = false;
  head = "";

  override async newest(): Promise<string> {
    if (this.isOut) throw new GitError("unreachable", "the repository is out of reach", "wait");
    await mkdir(this.folder, { recursive: true });
    return this.head;
  }
}

/**
 * Lives through 24 simulated hours with pushes, drift, restarts, and faults of the server and the repository, and three
 * hours without: in the first, drift is only reported. The service is the real one: its loop, its requests over HTTP, its repository.
 *
 * @param hours with disturbances; fewer have fewer of them
 * @throws when it is not in step at the end, has lost something, has spent more than its share of the quota or deleted more
 *   than its cap, says something else than the server, or has done what a cause, an owner or a pause does not permit
 */
export async function runDay(seed: number, figures: DayFigures, hours = 24): Promise<void> {
  const random = randomOf(seed);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
  await using server = await Harness.start({
    clock: "frozen",
    behaviour: { rate_limit: 1000, duplicate_names: true },
  });
  using origin = new GitRepository();
  const passed = (advance: number) => server.api("POST", "/_emulator/clock", { advance_ms: advance });
  const time = new SimulatedTime(Date.now(), random, async (advance) => void (await passed(advance)));
  const stop = new AbortController();
  const data = join(origin.folder, "data");
  const author = new Author(origin, random);

  // What infrasync has nothing to do with has to be the same afterwards.
  await server.reconcile(untouched);
  const before = await untouchedIn(server);

  let spent = 0;
  let cap = deletesPerDay;
  let onDrift: "apply" | "report" = "apply";
  /** The pauses that are confirmed. */
  const pauses: Pause[] = [];
  const logger = {
    debug: (_fields: object, message: string) => void (message === "request" && (spent += 1)),
  };
  const { url: baseUrl } = server.emulator;
  const client = createClient({ baseUrl, token: await serviceToken(server), onQuota: "fail", logger }, time);
  const repository = new WatchedRepository({
    address: { url: origin.origin, protocol: "file" },
    branch: "main",
    folder: data,
    env: { PATH: process.env["PATH"] },
  });
  const hints = new HintBox(time);
  const push = async (how: () => string) => {
    repository.head = how();
    figures.pushes += 1;
    if (random() < 0.5) hints.hint();
    await Promise.resolve();
  };
  await push(() => author.begin());

  const rateBudget = new RateBudget({ clock: time, interval: minute });
  let requests = new Requests(data);
  const newRequests = () => (requests = new Requests(data));
  const start = () =>
    new Reconciler({
      clients: () => Promise.resolve({ checking: client }),
      clock: time,
      repository,
      source: new CommitSource(repository, { path: "infra", variables: new Variables() }),
      memory: new Memory(join(data, "state.json")),
      organization: server.organization.id,
      policyFor: async () => ({ policy: { ...openPolicy, prune: true, deploy: true }, problems: [] }),
      operator: { onDrift, deletesPerDay: cap },
      requests: newRequests(),
      run: { signal: stop.signal },
      onQuota: "fail",
      parallelism: 5,
      rateBudget,
    });
  let reconciler = start();
  let end: CycleResult | undefined;
  let ended: RulesOfCycle | undefined;
  let windowBegan = time.now();
  let spentBefore = 0;

  const disturbances: [count: number, run: () => Promise<void>][] = [
    [14, () => push(() => author.change())],
    [
      14,
      async () => {
        figures.drift += await disturbServer(server, random, silently);
      },
    ],
    [
      8,
      async () => {
        figures.outages += 1;
        await server.api("POST", "/_emulator/faults", [faultOf(random)]);
        time.after(between(1, 20) * minute, async () => {
          figures.faults += await endFaults(server);
        });
      },
    ],
    [
      2,
      async () => {
        figures.outages += 1;
        repository.isOut = true;
        time.after(between(1, 40) * minute, async () => void (repository.isOut = false));
        await Promise.resolve();
      },
    ],
    [
      4,
      async () => {
        const path = "/environment/*/service/deploy";
        await server.api("POST", "/_emulator/faults", [
          { method: "POST", path, times: 1, fail_deployment: "image not found" },
        ]);
      },
    ],
    [
      3,
      async () => {
        figures.restarts += 1;
        onDrift = random() < 0.5 ? "apply" : "report";
        // The data folder may be lost, too, with the pauses in it.
        if (random() < 0.2) {
          await removeFolder(data);
          pauses.length = 0;
        }
        reconciler = start();
        await Promise.resolve();
      },
    ],
    [
      1,
      async () => {
        const until = time.now() + between(10, 120) * minute;
        const pause = { pattern: "shop/staging", until, reason: "a test", by: anybody, at: time.now() };
        await requests.open();
        await requests.change({ pauses: (others) => [...others, pause] }, anybody, time.now());
        pauses.push(pause);
        // What somebody wants meanwhile waits.
        time.after(2 * minute, () => push(() => author.touch()));
      },
    ],
  ];
  // In any day, somebody makes a job that no document ever describes.
  time.after(3 * minute, async () => void (await disturbServer(server, () => 0.9)));
  for (const [count, run] of disturbances)
    for (let each = 0; each < (count * hours) / 24; each += 1) time.after(between(0, hours * hour), run);
  time.after(hours * hour, async () => {
    figures.faults += await endFaults(server);
    repository.isOut = false;
    const deleted = await author.deletions(server);
    if (deleted.length > cap)
      throw new Error(`${deleted.length} were deleted in a day: ${deleted.join(", ")}`);
    figures.deletions += deleted.length;
    // For an hour, drift is only reported; then all is brought in step.
    onDrift = "report";
    reconciler = start();
    await push(() => author.mended());
    const reporting = reconciler;
    time.after(hour, async () => {
      if (end && reconciler === reporting) await checkStates(server, author, end);
      cap = 1000;
      onDrift = "apply";
      reconciler = start();
      await push(() => author.finish());
    });
  });
  let deploymentsBefore = 0;
  time.after((hours + 2) * hour, async () => void (deploymentsBefore = await deploymentsOf(server)));
  time.after((hours + 3) * hour, async () => {
    stop.abort();
    await Promise.resolve();
  });

  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const journal = new Journal({ folder: data, clock: time, log, describe: withAdvice });
  await serve({
    journal,
    reconciler: {
      cycle: async () => {
        if (stop.signal.aborted) throw new Error("over");
        const rules = { onDrift, pauses: [...pauses], began: time.now() };
        end = await reconciler.cycle();
        ended = { ...rules, ended: time.now() };
        return end;
      },
      hasNews: () => reconciler.hasNews(),
    },
    interval: minute,
    rateBudget: {
      get nextLiveRead() {
        return rateBudget.nextLiveRead;
      },
    },
    hints,
    log,
    clock: time,
    signal: stop.signal,
    describe: withAdvice,
    onCycle(result) {
      figures.cycles += 1;
      if (result === "done" && end && ended) checkCycle(end, ended);
      if (result === "done" && end) checkCommitState(end, journal);
      if (result === "failed") figures.failed += 1;
      // The emulator counts by windows of an hour from the first request on.
      const { checking, applying } = rateBudget.view() ?? {};
      const { remaining } = client.budget;
      if (remaining !== undefined && remaining < 1000 * 0.2)
        throw new Error(`only ${remaining} requests are left`);
      if (checking && checking.spent > checking.allowed)
        throw new Error(`looking has spent ${checking.spent} of ${checking.allowed}`);
      if (applying && applying.spent > applying.allowed)
        throw new Error(`applying has spent ${applying.spent} of ${applying.allowed}`);
      if (time.now() - windowBegan >= hour) {
        figures.mostInWindow = Math.max(figures.mostInWindow, spent - spentBefore);
        windowBegan = time.now();
        spentBefore = spent;
      }
    },
  });
  figures.requests += spent;
  if (!end || inWords(end).type !== "synced")
    throw new Error(`the last cycle has ended as ${JSON.stringify(shorten(end))}`);
  const open = await openIn(server, author);
  if (open.length > 0) throw new Error(`live resources differ: ${open.join(", ")}`);
  await checkAftermath(server, author, before);
  if ((await deploymentsOf(server)) > deploymentsBefore)
    throw new Error("services were deployed although nothing had changed for an hour");
  figures.unhealthy += await checkHealth(server, end);
  figures.days += 1;
}

/** How many deployments the server was asked for. */
async function deploymentsOf(server: Harness): Promise<number> {
  return (await server.seen()).filter(({ method, path }) => method === "POST" && path.endsWith("/deploy"))
    .length;
}

/** Checks what a cycle says of the health of services. Gives how many environments are unhealthy. */
async function checkHealth(server: Harness, { environments = [] }: CycleResult): Promise<number> {
  let unhealthy = 0;
  for (const { environment, state } of environments) {
    if (!environment.includes("/")) continue;
    const path = `/environment/${await server.idOf(environment)}/statuses`;
    const { jobs = [] } = (await server.api("GET", path)) as { jobs?: { state: string }[] };
    const failed = jobs.some((job) => job.state === "DEPLOYMENT_ERROR");
    if (failed !== (state === "unhealthy"))
      throw new Error(`${environment} is ${state}, and a deployment has ${failed ? "" : "not "}failed there`);
    if (failed) unhealthy += 1;
  }
  return unhealthy;
}

/** A way in which the server fails for a while. */
function faultOf(random: () => number): object {
  const events = { method: "GET", path: "/organization/*/events" };
  const ways = [
    { status: 503 },
    { status: 500, after: 1, times: 40 },
    { method: "GET", path: "/environment/*/services", status: 502 },
    { drop: "before", times: 30 },
    { method: "PUT", drop: "after", times: 5 },
    { method: "POST", path: "/environment/*/job", drop: "after", times: 5 },
    { method: "POST", path: "/environment/*/job", status: 500, times: 5 },
    { method: "DELETE", path: "/job/*", status: 409, times: 5 },
    { method: "GET", truncate: 20, times: 10 },
    { method: "GET", path: "/organization/*/project", status: 200, body: { results: "nonsense" } },
    { ...events, status: 403 },
    { ...events, status: 404 },
    { ...events, status: 200, body: { events: [{}] } },
    { ...events, status: 200, body: { events: [], organization_max_limit_reached: true } },
    { ...events, events: "late" },
    { ...events, events: "reordered" },
    { ...events, events: "equal" },
    { ...events, events: "single" },
    { method: "GET", path: "/organization/*/services", status: 403 },
  ];
  return ways[Math.floor(random() * ways.length)] ?? {};
}

function shorten(end: CycleResult | undefined): unknown {
  return JSON.parse(
    JSON.stringify(end, (key, value: unknown) =>
      ["kind", "resources", "enacted"].includes(key) && isFields(value as never) ? undefined : value,
    ) ?? "null",
  );
}
