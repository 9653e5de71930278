import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { Postgres } from "./postgres.ts";
import { startWorker, type Worker, type WorkersOf, type Write } from "./workers.ts";

const fixture = useFixture({ rateLimit: 0 });
const isSoak = process.env["INFRASYNC_SOAK"] === "true";
const rounds = isSoak ? 200 : 6;
const names = [...Array(isSoak ? 20 : 6).keys()].map((index) => `team-${index}`);

/** The same numbers with the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test("workers and databases that die at random: no source has two writers, and nothing is lost or doubled", async () => {
  const postgres = await Postgres.start();
  const folder = mkdtempSync(join(tmpdir(), "infrasync-fleet-"));
  onTestFinished(async () => {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  await infrasync(["database", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
  mkdirSync(join(folder, "sources"));
  const repositories = names.map((name) => {
    const made = new GitRepository();
    onTestFinished(() => made[Symbol.dispose]());
    made.push({ "infra/a.yaml": shop.replaceAll("shop", name) });
    writeFileSync(
      join(folder, "sources", `${name}.yaml`),
      `kind: Source\nname: ${name}\nrepository: ${made.origin}\npath: infra\n`,
    );
    return made;
  });
  const writes: Write[] = [];
  const of: WorkersOf = {
    folder,
    sources: join(folder, "sources"),
    postgres,
    apiUrl: fixture.emulator.url,
    token: fixture.emulator.tokens.admin,
    writes,
  };
  let started = 0;
  const start = async (): Promise<Worker> => {
    const worker = await startWorker(`w${(started += 1)}`, of);
    onTestFinished(() => void worker.child.process.kill("SIGKILL"));
    return worker;
  };
  const workers = [await start(), await start(), await start()];
  const below = randomFrom(28);
  const commits = names.map(() => 0);
  for (let round = 0; round < rounds; round += 1) {
    const index = below(workers.length);
    const worker = workers[index];
    if (!worker) throw new Error("no worker");
    for (const [at, repository] of repositories.entries())
      if (below(2) === 0) {
        const name = `j${(commits[at] = (commits[at] ?? 0) + 1)}`;
        repository.push({ [`infra/${name}.yaml`]: job(name, "", `${names[at]}/staging`) });
      }
    await sleep(below(2000));
    const { process: its } = worker.child;
    switch (below(4)) {
      case 0:
        its.kill("SIGKILL");
        workers[index] = await start();
        break;
      case 1:
        its.kill("SIGSTOP");
        await sleep(5000 + below(10_000));
        its.kill("SIGCONT");
        break;
      case 2:
        worker.wire.silence();
        await sleep(3000 + below(10_000));
        worker.wire.restore();
        break;
      default:
        await postgres.kill();
        await sleep(below(3000));
        await postgres.begin();
    }
  }
  // Each job is there once, by its name, in the environment of its source; nobody can say beforehand when.
  const plan = async ({ folder: at }: GitRepository) => {
    const ran = await infrasync(["plan", join(at, "author", "infra")], { env: fixture.env });
    return ran.stdout.split("\n")[0]?.split(":")[0];
  };
  await expect
    .poll(() => Promise.all(repositories.map(plan)), { timeout: 110_000, interval: 2000 })
    .toEqual(names.map(() => "No changes"));
  const jobs = (await fixture.requests()).filter((line) => line.startsWith("POST") && line.endsWith("/job"));
  expect(jobs.length).toBe(commits.reduce((sum, each) => sum + each, 0));
  expect(overlaps(writes)).toEqual([]);
}, 7_200_000);

/** Writes to the same environment by two workers at the same time. */
function overlaps(writes: readonly Write[]): string[] {
  const byPlace = Map.groupBy(
    writes,
    ({ line }) => /\/(?:environment|project)\/([0-9a-f-]{36})/.exec(line)?.[1],
  );
  return [...byPlace].flatMap(([place, its]) =>
    place === undefined
      ? []
      : its.flatMap((one) =>
          its
            .filter(
              (other) => other.worker !== one.worker && other.begun < one.ended && one.begun <= other.begun,
            )
            .map((other) => `${one.worker} ${one.line} and ${other.worker} ${other.line}`),
        ),
  );
}
