import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { overlaps } from "./api-log.ts";
import { Crew, live, waits } from "./day.ts";
import { tableOf } from "./day-tables.ts";
import { type FastEmulator, startFastEmulator } from "./fast-emulator.ts";
import { FastTime } from "./fast-time.ts";
import { useFleet } from "./fleet.ts";
import { ledgersOf } from "./ledgers.ts";
import { user } from "./postgres.ts";
import { randomFrom } from "./random.ts";
import { projectOf, Team } from "./teams.ts";
import { statusOf, type Worker } from "./workers.ts";

const wait = { timeout: 600_000, interval: 200 };

/** Prints a row for the page of figures. */
function tell(...row: readonly unknown[]): void {
  console.log(row.join(" | "));
}

describe("at the pace of the machine", () => {
  const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
  const fleet = useFleet(fixture);
  const synced = async () => {
    const [row] = await fleet.postgres.query<{ count: number }>(
      "select count(*)::integer as count from infrasync.source_status where state = 'synced'",
    );
    return row?.count;
  };
  const states = async (of: Worker) =>
    Object.fromEntries((await statusOf(of)).sources.map(({ name, state }) => [name, state]));
  const made = () => fleet.api.writes.filter(({ line }) => /^POST .*\/job$/.test(line)).length;

  /** A file system of a few megabytes, until the test ends. */
  const small = (megabytes: number): string => {
    const folder = mkdtempSync(join(tmpdir(), "infrasync-small-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder]);
    onTestFinished(() => {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    });
    return folder;
  };
  /** Fills it to the last byte. */
  const fill = (folder: string) => {
    for (let [size, index] = [1_048_576, 0]; size >= 1; index += 1)
      try {
        writeFileSync(join(folder, `fill-${index}`), Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 16);
      }
  };
  const empty = (folder: string) =>
    execFileSync("find", [folder, "-maxdepth", "1", "-name", "fill-*", "-delete"]);

  test("a worker that stands still for three minutes, and goes on", { timeout: 600_000 }, async () => {
    await fleet.migrate();
    const names = ["one", "two", "three", "four"];
    const repositories = fleet.state(names);
    const [first, second] = [await fleet.start(), await fleet.start()];
    await expect.poll(synced, wait).toBe(names.length);
    const pid = first.child.process.pid;
    const its = (await Promise.all(names.map((name) => fleet.ownerOf(name)))).filter(
      (owner) => owner === pid,
    ).length;
    first.child.process.kill("SIGSTOP");
    const stopped = Date.now();
    for (const [name, repository] of repositories)
      repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
    await expect.poll(made, wait).toBe(names.length);
    const all = (Date.now() - stopped) / 1000;
    await sleep(180_000 - (Date.now() - stopped));
    for (const [name, repository] of repositories)
      repository.push({ "infra/c.yaml": job("c", "", `${name}/staging`) });
    first.child.process.kill("SIGCONT");
    await expect.poll(made, wait).toBe(2 * names.length);
    await first.child.says("another worker may run the source now");
    await expect
      .poll(() => states(second), wait)
      .toEqual(Object.fromEntries(names.map((name) => [name, "synced"])));
    expect(overlaps(fleet.api.writes)).toEqual([]);
    tell("SIGSTOP for 180 s", `${its} sources of it`, `all commits applied after ${all.toFixed(0)} s`);
  });

  test("a disk of the database that is full", { timeout: 600_000 }, async () => {
    const { postgres } = fleet;
    const folder = small(30);
    const as = user();
    if (as) chownSync(folder, as.uid, as.gid);
    await postgres.query(`create tablespace small location '${folder}'`);
    await postgres.query("alter database postgres set default_tablespace = small");
    await fleet.migrate();
    const repository = fleet.state(["one"]).get("one");
    const worker = await fleet.start();
    await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
    fill(folder);
    const full = Date.now();
    const more = Array.from({ length: 60 }, (_each, index) => job(`b${index}`, "", "one/staging")).join("");
    repository?.push({ "infra/b.yaml": more });
    await sleep(30_000);
    expect(made()).toBe(0);
    const text = await (await fetch(`${worker.url}/status.json`)).text();
    const own = await (await fetch(`${worker.url}/sources/one/status.json`)).text();
    tell("disk of the database full", `${made()} writes in 30 s`, JSON.stringify(await states(worker)));
    tell(/"database":\{[^}]*\}/.exec(text)?.[0], /"failure":\{[^}]*\}/.exec(own)?.[0]);
    empty(folder);
    await expect.poll(made, wait).toBe(60);
    await expect.poll(() => states(worker), wait).toEqual({ one: "synced" });
    tell("all applied after", (Date.now() - full) / 1000);
  });

  test("a disk of a worker that is full", { timeout: 600_000 }, async () => {
    await fleet.migrate();
    const folder = small(8);
    const repositories = fleet.state(["one", "two"]);
    const worker = await fleet.start({}, ["--data", folder]);
    await expect.poll(() => states(worker), wait).toEqual({ one: "synced", two: "synced" });
    fill(folder);
    const full = Date.now();
    for (const [name, repository] of repositories)
      repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
    await sleep(20_000);
    expect(made()).toBe(0);
    const { sources } = await statusOf(worker);
    tell("disk of the worker full", `${made()} writes in 20 s`, JSON.stringify(sources[0]));
    empty(folder);
    await expect.poll(made, wait).toBe(2);
    await expect.poll(() => states(worker), wait).toEqual({ one: "synced", two: "synced" });
    tell("all applied after", (Date.now() - full) / 1000);
  });

  /** What a worker and the processes that it has waited for have used. */
  const usage = ({ child }: Worker) => {
    const pid = child.process.pid ?? 0;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(stat[index]), 0);
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { cpu: ticks / 100, memory: Number(peak) / 1024 };
  };

  test.each([1, 2, 4])("a cold start with %i workers", { timeout: 1_800_000 }, async (count) => {
    const sources = Number(process.env["INFRASYNC_TEST_SOURCES"] ?? 100);
    const names = Array.from({ length: sources }, (_each, index) => `team-${index}`);
    fleet.state(names, {
      manifest: (name) =>
        shop.replaceAll("shop", name) +
        Array.from({ length: 8 }, (_each, index) => job(`j${index}`, "", `${name}/staging`)).join(""),
    });
    for (const what of ["made from nothing", "started without memory"]) {
      await fleet.postgres.query("drop schema if exists infrasync cascade");
      await fleet.migrate();
      const [began, before] = [Date.now(), fleet.api.sent.length];
      const workers = await Promise.all(
        Array.from({ length: count }, () => fleet.start({}, ["--interval", "1m"])),
      );
      await expect.poll(synced, { timeout: 1_200_000, interval: 500 }).toBe(sources);
      const used = workers.map(usage);
      tell(
        `${sources} x 10, ${what}`,
        `${count} workers`,
        `${((Date.now() - began) / 1000).toFixed(0)} s`,
        `${fleet.api.sent.length - before} requests`,
        `${used.reduce((sum, { cpu }) => sum + cpu, 0).toFixed(0)} s of the processor`,
        `${Math.max(...used.map(({ memory }) => memory)).toFixed(0)} MB at most`,
      );
      for (const { name, child } of workers) {
        child.process.kill("SIGKILL");
        await child.ended;
        rmSync(join(fleet.folder, name), { recursive: true, force: true });
      }
    }
  });
});

describe("with a faster clock", () => {
  const quota = 1000;
  let time: FastTime;
  let emulator: FastEmulator;
  beforeEach(async () => {
    time = new FastTime(60);
    emulator = await startFastEmulator(time, quota);
    return () => emulator[Symbol.asyncDispose]();
  });
  const fleet = useFleet({
    get emulator() {
      return emulator;
    },
  });

  test(
    "one greedy team beside three others, with one token of 1,000 requests an hour",
    { timeout: 1_800_000 },
    async () => {
      await time.setIn(fleet.postgres);
      await fleet.migrate();
      const below = randomFrom(7);
      const names = ["greedy", "one", "two", "three"];
      const teams = [...fleet.state(names, { manifest: projectOf })].map(
        ([name, repository]) => new Team(name, repository, emulator, below),
      );
      const [greedy, ...others] = teams as [Team, ...Team[]];
      const crew = new Crew(fleet, time, await emulator.tokenFor("fleet"), [
        "--interval",
        "1m",
        "--on-drift",
        "apply",
      ]);
      await crew.join();
      await crew.join();
      await live(time, [
        ...[1, 1.5, 2, 2.5, 3].map((hour): [number, () => void] => [hour, () => greedy.grow(300)]),
        ...[1.2, 1.7, 2.2, 2.7, 3.2].map((hour): [number, () => void] => [
          hour,
          () => others.forEach((team) => team.change()),
        ]),
        // A commit that no window has the requests for.
        [4, () => greedy.grow(2000)],
        [4.3, () => others.forEach((team) => team.change())],
        [5, () => undefined],
      ]);
      const waited = await waits(fleet, others, time);
      const jobs = (await emulator.jobs()).filter((name) => name.startsWith("greedy")).length;
      const url = crew.workers[0]?.url;
      const text = await (await fetch(`${url}/sources/greedy/status.json`)).text();
      await crew.end();
      tell(/"environments":.{1500}/.exec(text)?.[0] ?? text);
      tell(tableOf(waited.filter(({ hour }) => hour > 1)));
      tell(
        `the greedy team has ${jobs} of 3504 jobs`,
        JSON.stringify(await ledgersOf(fleet.api, fleet.postgres)),
      );
      expect(waited.filter((each) => each.waited === undefined)).toEqual([]);
    },
  );
});
