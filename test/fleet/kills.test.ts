import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture } from "../cli/fixture.ts";
import type { GitRepository } from "../fixtures/git-repository.ts";
import { job } from "../fixtures/manifests.ts";
import { overlaps } from "./api-log.ts";
import { useFleet } from "./fleet.ts";
import { ledgersOf, tableOfLedgers } from "./ledgers.ts";
import { randomFrom } from "./random.ts";
import { Sink } from "./sink.ts";
import { tableOf, type Takeover, takeoverOf } from "./takeovers.ts";
import type { Worker } from "./workers.ts";

const isSoak = process.env["INFRASYNC_TEST_SOAK"] === "true";
/** How much there is; a soak is as large as a fleet of fifty teams. */
const size = isSoak
  ? { workers: 8, sources: 100, environments: 10, tokens: 50, blows: 200, pushed: 5, quota: 20_000 }
  : { workers: 3, sources: 6, environments: 1, tokens: 3, blows: 6, pushed: 3, quota: 20_000 };

/** Milliseconds until the last source of a worker that has died is another's: 20 s, and 5 until its status says so, which is written every 4 s. */
const longest = 25_000;

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: size.quota } });
const fleet = useFleet(fixture);
/** How far the clocks of the workers are from that of the machine, in milliseconds, in turn. */
const clockShifts = [0, 60_000, -60_000, 30_000];

/** A project with environments. */
function manifest(project: string): string {
  const environments = [...Array(size.environments).keys()].map(
    (index) =>
      `---\nkind: Environment\nproject: ${project}\nname: e${index}\nmode: STAGING\ncluster: eu-west\n`,
  );
  return `kind: Project\nname: ${project}\n${environments.join("")}`;
}

async function makeToken(name: string): Promise<string> {
  const { id: organization } = fixture.emulator.organization;
  const path = `/organization/${organization}/apiToken`;
  const { token } = await fixture.request("POST", path, { name, scope: "ADMIN" });
  return String(token);
}

/** Writes the files with the tokens that sources name. @returns as many tokens that no worker spends */
async function makeTokens(): Promise<string[]> {
  const readers: string[] = [];
  for (let index = 0; index < size.tokens; index += 1) {
    const name = `token-${index}`;
    writeFileSync(join(fleet.folder, "files", name), await makeToken(name));
    readers.push(await makeToken(`reader-${index}`));
  }
  return readers;
}

test("workers and databases that die at random: no source has two writers, nothing is lost or doubled, and what was applied is told once", async () => {
  await fleet.migrate();
  const readers = await makeTokens();
  const names = [...Array(size.sources).keys()].map((index) => `team-${index}`);
  const repositories = fleet.state(names, {
    manifest,
    more: (_name, index) => `token_file: token-${index % size.tokens}\n`,
  });
  const { api, postgres } = fleet;
  const sink = await Sink.start();
  let started = 0;
  const start = async (): Promise<Worker> => {
    const shift = clockShifts[(started += 1) % clockShifts.length] ?? 0;
    const env = { INFRASYNC_TEST_CLOCK_SHIFT: String(shift), INFRASYNC_NOTIFY_URL: sink.url };
    return fleet.start(env, ["--interval", isSoak ? "20s" : "1s"]);
  };
  const workers: Worker[] = [];
  while (workers.length < size.workers) workers.push(await start());
  const synced = async () => {
    const rows = await postgres.query<{ count: number }>(
      "select count(*)::integer as count from infrasync.source_status where state = 'synced'",
    );
    return rows[0]?.count;
  };
  if (isSoak) {
    await expect.poll(synced, { timeout: 1_200_000, interval: 2000 }).toBe(names.length);
    tell("all sources are synced");
  }
  const below = randomFrom(28);
  const commits = new Map(names.map((name) => [name, 0]));
  const over = new AbortController();
  const takeovers: Promise<Takeover>[] = [];
  const watch = (blow: string, worker: Worker, until: AbortSignal = over.signal) =>
    takeovers.push(takeoverOf(blow, postgres, worker.child.process.pid ?? 0, until));
  for (let blow = 0; blow < size.blows; blow += 1) {
    if (isSoak && blow % 20 === 0) tell(`${blow} blows of ${size.blows}, ${await synced()} sources synced`);
    sink.isAway = blow % 6 < 4;
    const index = below(workers.length);
    const worker = workers[index];
    if (!worker) throw new Error("no worker");
    for (let push = 0; push < size.pushed; push += 1) {
      const name = names[below(names.length)] ?? "";
      const count = (commits.get(name) ?? 0) + 1;
      commits.set(name, count);
      repositories
        .get(name)
        ?.push({ [`infra/j${count}.yaml`]: job(`j${count}`, "", `${name}/e${below(size.environments)}`) });
    }
    await sleep(below(2000));
    const { process: its } = worker.child;
    const back = new AbortController();
    switch (below(5)) {
      case 0:
        its.kill("SIGKILL");
        watch("SIGKILL", worker);
        workers[index] = await start();
        break;
      case 1:
        its.kill("SIGSTOP");
        watch("SIGSTOP", worker, back.signal);
        await sleep(5000 + below(15_000));
        back.abort();
        its.kill("SIGCONT");
        break;
      case 2:
        worker.wire.silence();
        watch("half-open connection", worker, back.signal);
        await sleep(3000 + below(15_000));
        back.abort();
        worker.wire.restore();
        break;
      case 3:
        worker.wire.restore();
        break;
      default:
        await postgres.kill();
        // After five seconds, workers give up their sources.
        await sleep(below(8000));
        await postgres.begin();
    }
  }
  sink.isAway = false;
  if (isSoak) tell(`all blows are over, ${await synced()} sources synced`);
  // Each job is there once, by its name, in the environment of its source; nobody can say beforehand when.
  const plan = async (name: string, { folder: at }: GitRepository) => {
    const reader = readers[names.indexOf(name) % readers.length] ?? "";
    const env = { ...fixture.env, INFRASYNC_TOKEN: reader };
    const ran = await infrasync(["plan", join(at, "author", "infra")], { env });
    return ran.stdout.split("\n")[0]?.split(":")[0];
  };
  const waiting = new Map(repositories);
  await expect
    .poll(
      async () => {
        for (const [name, repository] of waiting)
          if ((await plan(name, repository))?.startsWith("No changes")) waiting.delete(name);
        return [...waiting.keys()];
      },
      { timeout: isSoak ? 1_200_000 : 110_000, interval: 2000 },
    )
    .toEqual([]);
  over.abort();
  const desired = names.map((name) => [name, 1 + size.environments + (commits.get(name) ?? 0)] as const);
  const untold = () => desired.filter(([name, changes]) => sink.applied(name) < changes);
  await expect.poll(untold, { timeout: isSoak ? 1_200_000 : 110_000, interval: 2000 }).toEqual([]);
  const { writes } = api;
  const made = (what: RegExp) =>
    writes.filter(({ line, status }) => what.test(line) && line.startsWith("POST") && status < 300).length;
  expect(made(/\/job$/)).toBe([...commits.values()].reduce((sum, each) => sum + each, 0));
  expect(made(/\/environment$/)).toBe(size.sources * size.environments);
  expect(made(/\/project$/)).toBe(size.sources);
  expect(overlaps(writes)).toEqual([]);
  // The last requests would reach the API between the reading of the ledgers and that of the log.
  for (const { child } of workers) child.process.kill("SIGTERM");
  await Promise.all(workers.map(({ child }) => child.ended));
  expect(desired.filter(([name, changes]) => sink.applied(name) !== changes)).toEqual([]);
  const ledgers = await ledgersOf(api, postgres);
  expect(ledgers.filter(({ most, refused }) => most > size.quota || refused > 0)).toEqual([]);
  expect(
    ledgers.filter(({ counted, entered, unsettled }) => counted > entered || entered > counted + unsettled),
  ).toEqual([]);
  if (!isSoak) return;
  tell(`${sink.tried.length} news were sent, ${sink.arrived.length} of them arrived`);
  const all = await Promise.all(takeovers);
  console.log(tableOf(all));
  console.log(tableOfLedgers(ledgers, size.quota));
  const late = all.filter(
    ({ blow, sources, isUndisturbed, last = Infinity }) =>
      blow === "SIGKILL" && sources > 0 && isUndisturbed && last > longest,
  );
  expect(late).toEqual([]);
}, 7_200_000);

/** Says in the log of a soak how far it is. */
function tell(text: string): void {
  console.log(`${new Date().toISOString()} ${text}`);
}
