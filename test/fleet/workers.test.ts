import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture, writesOf } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { Postgres } from "./postgres.ts";
import { startWorker, statusOf, type Worker, type WorkersOf, type Write } from "./workers.ts";

const fixture = useFixture({ rateLimit: 0 });
const wait = { timeout: 60_000, interval: 100 };
let postgres: Postgres;
let folder: string;

beforeEach(async () => {
  postgres = await Postgres.start();
  folder = mkdtempSync(join(tmpdir(), "infrasync-fleet-"));
  return async () => {
    await postgres[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Sources with a project each, and workers that share them. */
async function workers(count: number, names: readonly string[]) {
  mkdirSync(join(folder, "sources"));
  const repositories = new Map(names.map((name) => [name, new GitRepository()]));
  onTestFinished(() => {
    for (const each of repositories.values()) each[Symbol.dispose]();
  });
  for (const [name, repository] of repositories) {
    repository.push({ "infra/a.yaml": shop.replaceAll("shop", name) });
    writeFileSync(
      join(folder, "sources", `${name}.yaml`),
      `kind: Source\nname: ${name}\nteam: ${name}\nrepository: ${repository.origin}\npath: infra\n`,
    );
  }
  const writes: Write[] = [];
  const of: WorkersOf = {
    folder,
    sources: join(folder, "sources"),
    postgres,
    apiUrl: fixture.emulator.url,
    token: fixture.emulator.tokens.admin,
    writes,
  };
  const all: Worker[] = [];
  for (let index = 0; index < count; index += 1) {
    const worker = await startWorker(`w${index}`, of);
    onTestFinished(() => void worker.child.process.kill("SIGKILL"));
    all.push(worker);
  }
  return { repositories, writes, all };
}

async function migrate() {
  return infrasync(["database", "migrate"], { env: { INFRASYNC_DATABASE: postgres.url } });
}

/** The host process of the worker that has a source, as the database says. */
async function ownerOf(name: string): Promise<number | undefined> {
  const [row] = await postgres.query<{ process_id: number }>(
    "select w.process_id from infrasync.standing s join infrasync.worker w on w.id = s.worker where s.source = $1",
    [name],
  );
  return row?.process_id;
}

test("migrate makes the tables, and again changes nothing; a worker without them says what to do", async () => {
  await expect(workers(1, ["one"])).rejects.toThrow("run infrasync database migrate");
  expect(await migrate()).toMatchObject({ code: 0, stderr: expect.stringContaining("were at version 0") });
  expect(await migrate()).toMatchObject({ code: 0, stderr: expect.stringContaining("up to date") });
});

test("workers share the sources; the sources of one that is killed or stands still are taken over within 20 s, and what was remembered goes along", async () => {
  await migrate();
  const names = ["one", "two", "three", "four"];
  const { repositories, writes, all } = await workers(2, names);
  const [first, second] = all;
  if (!first || !second) throw new Error("no workers");
  const states = async (of: Worker) => (await statusOf(of)).sources.map(({ state }) => state);
  const inStep = names.map(() => "in_step");
  for (const worker of all) await expect.poll(() => states(worker), wait).toEqual(inStep);
  // Each has about its share, and says who has the others.
  const owners = async () => Promise.all(names.map((name) => ownerOf(name)));
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const stopped = performance.now();
  first.child.process.kill("SIGSTOP");
  await expect
    .poll(async () => (await owners()).every((each) => each === second.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - stopped).toBeLessThan(20_000);
  // What the first one had applied is not applied again: the memory has gone along.
  const before = writes.length;
  for (const [name, repository] of repositories)
    repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
  await expect.poll(() => writes.length - before, wait).toBe(names.length);
  first.child.process.kill("SIGCONT");
  // It finds out that it has lost its right, and takes a part again.
  await first.child.says("another worker may work on it now");
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const killed = performance.now();
  second.child.process.kill("SIGKILL");
  await expect
    .poll(async () => (await owners()).every((each) => each === first.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - killed).toBeLessThan(20_000);
  expect(writesOf(await fixture.requests()).filter((line) => line.includes("job"))).toHaveLength(
    names.length,
  );
  const history = await postgres.query<{ count: number }>(
    "select count(*)::integer as count from infrasync.history where source = 'one'",
  );
  expect(history[0]?.count).toBeGreaterThan(1);
});

test("a worker that is cut off from the database sends nothing until it is back, also when the database dies", async () => {
  await migrate();
  const { repositories, writes, all } = await workers(1, ["one"]);
  const [only] = all;
  if (!only) throw new Error("no worker");
  const repository = repositories.get("one");
  await expect
    .poll(async () => (await statusOf(only)).sources.map(({ state }) => state), wait)
    .toEqual(["in_step"]);
  const push = (name: string) => repository?.push({ [`infra/${name}.yaml`]: job(name, "", "one/staging") });
  for (const [name, cut, back] of [
    ["silent", async () => only.wire.silence(), async () => only.wire.restore()],
    ["dead", () => postgres.kill(), () => postgres.begin()],
  ] as const) {
    const before = writes.length;
    await cut();
    await sleep(3000);
    push(name);
    await sleep(6000);
    expect(writes.slice(before)).toEqual([]);
    expect(await (await fetch(only.url)).text()).toContain(
      "The database that the workers share cannot be used",
    );
    await back();
    await expect.poll(() => writes.slice(before).length, wait).toBe(1);
  }
});
