// npm run soak: the tests of docs/explanation/reliability.md at full length, an hour or more. Each part can be scaled down:
// --schedules 10000  --parts 1000  --hands 10000  --kills 500  --boundaries 1000  --manifests 100000  --properties 100  --days 100  --storm 30  --seed 1  --only PART (repeatable)
// A failure prints its seed and path: --only schedules --seed SEED --path PATH replays that failure alone. Schedules run in eight streams,
// with the given seed and the seven after it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type fc from "fast-check";
import { fuzzManifests } from "../test/core/manifest/fuzz.ts";
import { playStories } from "../test/faults/hands.ts";
import { grid } from "../test/faults/kill-scenario.ts";
import { boundariesOf, runBoundaries, runKills } from "../test/faults/kills.ts";
import { type DayFigures, noDays, runDay } from "../test/faults/reconciler-days.ts";
import { KillStage, pointsOf } from "../test/faults/reconciler-kills.ts";
import { runStorm } from "../test/faults/reconciler-storm.ts";
import { type Schedule, schedules, schedulesWithParts } from "../test/faults/random-schedules.ts";
import { type Figures, noFigures, runSchedules } from "../test/faults/schedules.ts";
import type { Seeded } from "../test/faults/seeded.ts";
import { buildPrograms } from "../test/fixtures/build-programs.ts";

const parts = [
  "schedules",
  "parts",
  "hands",
  "kills",
  "boundaries",
  "manifests",
  "properties",
  "days",
  "service-kills",
  "storm",
  "quiet",
  "fleet-day",
  "fleet-kills",
  "bundle",
  "pulumi",
] as const;

const { values } = parseArgs({
  options: {
    schedules: { type: "string", default: "10000" },
    parts: { type: "string", default: "1000" },
    hands: { type: "string", default: "10000" },
    kills: { type: "string", default: "500" },
    boundaries: { type: "string", default: "1000" },
    manifests: { type: "string", default: "100000" },
    properties: { type: "string", default: "100" },
    days: { type: "string", default: "100" },
    storm: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    path: { type: "string" },
    only: { type: "string", multiple: true, default: [...parts] },
  },
});

const streams = 8;
const seed = wholeNumber("seed", values.seed);
const chosen = values.only.map((name) => parts.find((part) => part === name) ?? refuse(`--only ${name}`));
const seeded = (count: string, name: string) => ({
  count: wholeNumber(name, count),
  seed,
  ...(values.path !== undefined && { path: values.path }),
});

/** The projects of vitest whose tests need nothing but Node and git. */
const main = ["--project", "main", "--project", "long"];

/** Variables with which tests run at full length. */
const soaking = { INFRASYNC_SOAK: "true", INFRASYNC_SEED: String(seed) };

const runs: Record<(typeof parts)[number], () => Promise<object>> = {
  schedules: () => runStreams(seeded(values.schedules, "schedules"), schedules),
  // The same with variables and secrets in the documents.
  parts: () => runStreams(seeded(values.parts, "parts"), schedulesWithParts),
  // People who rename, shrink and add things between a plan and its apply.
  hands: () => playStories(seeded(values.hands, "hands"), progress),
  kills: () => runKills(seeded(values.kills, "kills"), progress),
  async boundaries() {
    const all = await boundariesOf(grid);
    const some = all.slice(0, wholeNumber("boundaries", values.boundaries));
    return { of: all.length, ...(await runBoundaries(grid, some, progress)) };
  },
  manifests: async () => fuzzManifests(wholeNumber("manifests", values.manifests), seed),
  // As many times the random cases of npm test, and others than its own.
  properties: () =>
    runTests([...main, ...testsOf(/from "fast-check"|random-cases/)], {
      INFRASYNC_SEED: String(seed),
      INFRASYNC_CASES: String(wholeNumber("properties", values.properties)),
    }),
  // Each with its own seed, the given one first.
  days: () => runDays(wholeNumber("days", values.days)),
  "service-kills": async () => ({
    ...(await runServiceKills()),
    ...(await runTests([...main, "test/faults/preview-kills.test.ts"], soaking)),
  }),
  // So many minutes of pushes, drift, faults and kills of a service; it has to be in step within two minutes after the last of them.
  storm: () => runStormOf(wholeNumber("storm", values.storm)),
  // An hour without news in an organization of 10,000 jobs; every fault at every method, with a server that tells the token; the memory
  // of a service that gets 1,500 webhooks; the recipes of CONTRIBUTING, carried out in copies of the checkout.
  quiet: () =>
    runTests(
      [
        ...main,
        "test/reconciler/watch/watch.test.ts",
        "test/faults/canary.test.ts",
        "test/cli/commands/reconcile-webhooks.soak.test.ts",
        "test/tools/add-a-kind.soak.test.ts",
        "test/tools/recipes.soak.test.ts",
      ],
      soaking,
    ),
  // A day of eight sources with one token of few requests, whose workers come, go and die, and the transactions of a worker at rest; 20
  // minutes, which need PostgreSQL.
  "fleet-day": () =>
    runTests(["--project", "fleet", "test/fleet/day.test.ts", "test/fleet/rest.soak.test.ts"], soaking),
  // 200 blows at eight workers of 100 sources, their database and the receiver of their news; half an hour, which needs PostgreSQL.
  "fleet-kills": () => runTests(["--project", "fleet", "test/fleet/kills.test.ts"], soaking),
  // What the tests run of the sources in their own process, with the bundle in its place.
  bundle: () =>
    runTests([...main, "test/cli", "test/docs", "test/examples"], {
      INFRASYNC_TEST_BUNDLE: "true",
    }),
  // The full grids of faults and kills with the real Pulumi engine.
  pulumi: () => runTests(["--project", "pulumi"], soaking),
};

await buildPrograms();
for (const part of chosen) {
  const start = Date.now();
  try {
    const figures = await runs[part]();
    console.log(`${part}: ${describe(figures)}, in ${Math.round((Date.now() - start) / 1000)} s`);
  } catch (error) {
    console.error(`${part}: FAILED`, error);
    process.exitCode = 1;
  }
}
process.exit();

/** Runs schedules in several streams at once, each with its own seed, because they mostly wait. */
async function runStreams(
  { count, seed: first, path }: Seeded,
  drawn: fc.Arbitrary<Schedule>,
): Promise<object> {
  if (path !== undefined) return runSchedules({ count, seed: first, path }, undefined, drawn);
  const running = new Map<number, Figures>();
  const reports = await Promise.all(
    Array.from({ length: streams }, (_, stream) => {
      const share = Math.floor((count + stream) / streams);
      const report = (figures: Figures) => {
        running.set(stream, figures);
        progress(total([...running.values()]));
      };
      return runSchedules({ count: share, seed: first + stream }, report, drawn);
    }),
  );
  return total(reports);
}

/** Lives through simulated days of the reconciler. */
async function runDays(count: number): Promise<DayFigures> {
  const figures = noDays();
  for (let day = 0; day < count; day += 1) {
    try {
      await runDay(seed + day, figures);
    } catch (error) {
      throw new Error(`--only days --days 1 --seed ${seed + day}: ${String(error)}`, { cause: error });
    }
    if (figures.days % 10 === 0) console.error(`… ${describe(figures)}`);
  }
  return figures;
}

/** Kills a service at each request and each call of git. */
async function runServiceKills(): Promise<object> {
  const figures = { points: 0, kills: 0 };
  for (const start of ["first", "next"] as const) {
    using stage = new KillStage();
    for (const point of pointsOf(await stage.extent(start))) {
      try {
        if (await stage.kill(start, point)) figures.kills += 1;
      } catch (error) {
        throw new Error(`killed at ${start}, ${JSON.stringify(point)}: ${String(error)}`, { cause: error });
      }
      figures.points += 1;
      if (figures.points % 20 === 0) console.error(`… ${describe(figures)}`);
    }
  }
  return figures;
}

/** Runs a service as a process through a storm. */
function runStormOf(minutes: number): Promise<object> {
  let told = 0;
  const times = { length: minutes * 60_000, pause: 4000, outage: 60_000 };
  return runStorm(seed, times, (figures) => {
    if (figures.pushes < told + 10) return;
    told = figures.pushes;
    console.error(`… ${describe(figures)}`);
  });
}

function total(all: readonly Figures[]): Figures {
  const sum = noFigures();
  for (const { ends, ...counts } of all) {
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof counts] += count;
    for (const [end, count] of Object.entries(ends)) sum.ends[end] = (sum.ends[end] ?? 0) + count;
  }
  return sum;
}

/** The test files in which a pattern occurs. */
function testsOf(pattern: RegExp): string[] {
  return globSync("test/**/*.test.ts").filter((file) => pattern.test(readFileSync(file, "utf8")));
}

/** Runs test files. @param selection arguments of vitest that choose them @param variables of their environment */
async function runTests(
  selection: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<object> {
  const child = spawn("npx", ["vitest", "run", ...selection], {
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("these tests have failed: see above");
  return { tests: "passed" };
}

function progress(figures: { schedules: number }): void {
  if (figures.schedules % 50 === 0) console.error(`… ${describe(figures)}`);
}

/** Formats figures as `60 schedules, 571 faults`: each number before its noun. */
function describe(figures: object): string {
  return Object.entries(figures)
    .map(([name, value]) =>
      typeof value === "object" && value !== null
        ? `(${describe(value)})`
        : `${name} ${typeof value === "number" ? Math.round(value * 10) / 10 : String(value)}`,
    )
    .join(", ");
}

function wholeNumber(name: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${name} ${text}`);
}

function refuse(what: string): never {
  console.error(`${what}: expected a number of tries, or one of the parts ${parts.join(", ")}`);
  process.exit(3);
}
