import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { overlaps } from "./api-log.ts";
import { Crew, deletions, differing, type Happening, isApplied, live, waits } from "./day.ts";
import { hoursOf, tableOf } from "./day-tables.ts";
import { DayWatch } from "./day-watch.ts";
import { type FastEmulator, startFastEmulator } from "./fast-emulator.ts";
import { FastTime } from "./fast-time.ts";
import { useFleet } from "./fleet.ts";
import { ledgersOf } from "./ledgers.ts";
import { randomFrom } from "./random.ts";
import { projectOf, Team } from "./teams.ts";

const isSoak = process.env["INFRASYNC_TEST_SOAK"] === "true";
/** The teams of a soak have as many requests each as 16 with a token of the real server; two of them have a pause or only reports. */
const size = isSoak
  ? { hours: 24, speed: 96, teams: 8, quota: 625, workers: 3, big: 30, kills: 8 }
  : { hours: 1.1, speed: 300, teams: 3, quota: 400, workers: 2, big: 5, kills: 1 };
/** How many resources of a team may be deleted in a day. */
const deletesPerDay = 3;
/** How many jobs the first team drops in the day. */
const drops = isSoak ? 5 : 1;

let time: FastTime;
let emulator: FastEmulator;
beforeEach(async () => {
  time = new FastTime(size.speed);
  emulator = await startFastEmulator(time, size.quota);
  return () => emulator[Symbol.asyncDispose]();
});
const fleet = useFleet({
  get emulator() {
    return emulator;
  },
});

/** Waits for something that has to happen. */
async function eventually(what: string, happens: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 600_000; !(await happens()); await sleep(200))
    if (Date.now() > until) throw new Error(`it has not happened in ten minutes: ${what}`);
}

test("a day of teams with one token of few requests, whose workers come, go and die, ends synced, and nothing is lost", async () => {
  const { postgres, api } = fleet;
  await time.setIn(postgres);
  await fleet.migrate();
  const below = randomFrom(7);
  const names = [...[...Array(size.teams).keys()].map((index) => `team-${index}`), "reporting", "frozen"];
  const more = (name: string) => (name === "reporting" ? "policy: { on_drift: report }\n" : "");
  const all = [...fleet.state(names, { manifest: projectOf, more })].map(
    ([name, repository]) => new Team(name, repository, emulator, below),
  );
  const teams = all.slice(0, size.teams);
  const [reporting, frozen] = all.slice(size.teams) as [Team, Team];
  const readers = new Map<string, string>();
  for (const name of names) readers.set(name, await emulator.tokenFor(`reader-${name}`));
  const config = join(fleet.folder, "operator.yaml");
  writeFileSync(config, `reconcile: { max_deletes_per_day: ${deletesPerDay} }\n`);
  const crew = new Crew(
    fleet,
    time,
    await emulator.tokenFor("fleet"),
    [
      ["--interval", "1m"],
      ["--prune", "--deploy"],
      ["--on-drift", "apply"],
      ["--max-deletes", "5,60%"],
      ["--config", config],
    ].flat(),
  );
  const watch = new DayWatch(postgres, time, names);
  watch.begin();
  for (let each = 0; each < size.workers; each += 1) await crew.join();

  /** Asks the worker of a source, until there is one. */
  const ask = (...args: string[]) =>
    eventually(args.join(" "), async () => {
      const env = { INFRASYNC_DATABASE: postgres.url };
      return (await infrasync(["reconcile", ...args], { env })).code === 0;
    });
  const applied = (team: Team) =>
    // The database is away for a while.
    eventually(`the newest commit of ${team.name} is applied`, () =>
      isApplied(fleet, team).catch(() => false),
    );
  const happenings: Happening[] = [];
  const at = (part: number, happens: Happening[1]) => happenings.push([part * size.hours, happens]);
  // The night before and after it is quiet.
  const inTheDay = () => 0.3 + below(1000) / 2000;
  const one = () => teams[below(teams.length)] ?? expect.fail("no team");
  const [first, second] = [one(), one()];
  for (let each = 0; each < 2.5 * size.hours; each += 1) at(inTheDay(), () => one().change());
  for (let each = 0; each < size.hours; each += 1) at(inTheDay(), () => one().meddle());
  at(0.3, () => second.add());
  for (let each = 0; each < drops; each += 1) at(inTheDay(), () => first.drop());
  at(0.45, () => second.grow(size.big));
  for (let each = 0; each < size.kills; each += 1)
    at(0.33 + (0.45 * each) / size.kills, async () => {
      one().change();
      await crew.killAtWrite(below(60));
    });
  if (isSoak) {
    at(0.37, () => crew.join());
    at(0.5, () => crew.renew());
    at(0.58, () => crew.freeze(12_000));
    at(0.68, () => crew.leave());
  }
  at(0.63, async () => {
    await postgres.kill();
    await sleep(isSoak ? 10_000 : 1500);
    await postgres.begin();
  });
  let isLeft = false;
  at(0.2, async () => {
    await applied(reporting);
    await reporting.deviate();
    for (let each = 0; each < 2; each += 1) {
      reporting.change();
      await applied(reporting);
    }
    isLeft = await reporting.settle();
  });
  const whileFrozen: string[] = [];
  at(0.2, async () => {
    // What has begun before a pause goes on to its end, and the pause says so.
    await applied(frozen);
    const ids = await frozen.ids();
    const freeze = ["frozen/live", "--source", "frozen"];
    await ask("pause", ...freeze, "--for", "20h", "--reason", "inventory");
    const began = Date.now();
    frozen.change();
    // Its worker has seen the commit, and lets it wait.
    await eventually("the commit waits", () => Promise.resolve(watch.states.get("frozen") === "waiting"));
    await sleep(1000);
    const ended = Date.now();
    const its = api.writes.filter(({ line }) => ids.some((id) => line.includes(id)));
    whileFrozen.push(
      ...its.filter(({ started }) => started >= began && started <= ended).map(({ line }) => line),
    );
    await ask("resume", ...freeze);
  });
  at(1, () => undefined);
  await live(time, happenings);
  // The limit of the day has kept some of what they had dropped, and nothing that somebody has added by hand is theirs to drop.
  for (const team of teams) await team.keepAll();
  // A source in step may still be so with an earlier commit: its worker has not read the last one yet.
  const open = async () => {
    const unread = (await waits(fleet, all, time)).filter(({ waited }) => waited === undefined);
    const states = names.map((name) => watch.states.get(name)).filter((state) => state !== "synced");
    return [...states, ...unread.map(({ team }) => `${team} has not read its last commit`)];
  };
  for (const until = Date.now() + 600_000; (await open()).length > 0 && Date.now() < until;) await sleep(200);
  const states = await open();
  const different = await differing(all, emulator, readers, fleet.folder);
  await crew.end();
  await watch.end();

  const waited = await waits(fleet, all, time);
  const deleted = await deletions(emulator, "fleet");
  const ledgers = await ledgersOf(api, postgres);
  if (isSoak) {
    console.log(tableOf(hoursOf(api.sent, watch.windows, time)));
    console.log(tableOf(waited), watch.longest(), deleted, ledgers, {
      kills: crew.kills,
      cache: teams.reduce((sum, { cache }) => sum + cache, 0),
      pushes: waited.length,
    });
  }
  expect.soft(states).toEqual([]);
  // What the last looks have found is what a plan finds that reads everything anew.
  expect.soft(different).toEqual([]);
  // What is only reported was left, although commits were applied beside it, and a pause held from its confirmation on.
  expect.soft(isLeft).toBe(true);
  expect.soft(whileFrozen).toEqual([]);
  expect(overlaps(api.writes)).toEqual([]);
  // Each job is there once, and nothing has gone that had to stay: neither what no commit has dropped nor what somebody has made by hand.
  const desired = all.flatMap(({ jobs }) => jobs).toSorted();
  expect.soft(await emulator.jobs()).toEqual(desired);
  const dropped = new Set(teams.flatMap((team) => [...team.dropped]));
  expect.soft(deleted.filter((name) => !dropped.has(name))).toEqual([]);
  for (const { name: team } of teams)
    expect(deleted.filter((name) => name.startsWith(`${team}-`)).length).toBeLessThanOrEqual(deletesPerDay);
  // The quota is kept, and so is the part of it that is for people.
  expect(ledgers).toMatchObject([{ refused: 0 }]);
  expect(ledgers[0]?.most).toBeLessThanOrEqual(0.8 * size.quota);
  expect(waited.filter((each) => each.waited === undefined)).toEqual([]);
}, 7_200_000);
