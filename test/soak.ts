// npm run soak: the tests of docs/explanation/reliability.md at full length, an hour or more. --only PART (repeatable)
// runs a part,
// --cases 100 multiplies the random cases of `npm run test:long`, and --seed 1 selects them.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The projects of vitest whose tests need only Node and Git. */
const main = ["--project", "main", "--project", "long"];

/** The arguments of vitest for each part, and whether all cases run, also those that other runs of these tests omit. */
const parts = {
  cases: [...main, ...testsOf(/random-cases/)],
  // Kills at each request and each call of git; every fault at every method; an hour without news of 10,000 jobs; 1,500 webhooks.
  grids: [
    ...main,
    ...testsOf(/isSoak/),
    "test/reconciler/watch/watch.test.ts",
    "test/cli/commands/reconcile-webhooks.soak.test.ts",
  ],
  // The recipes of CONTRIBUTING, carried out in copies of the checkout.
  recipes: [...main, "test/tools/add-a-kind.soak.test.ts", "test/tools/recipes.soak.test.ts"],
  // A day of eight sources with one token; idle workers; faults of eight workers of 100 sources; all pairs of faults of the
  // leases; full disks, stopped workers, another clock and cold starts; each alarm. Needs PostgreSQL, Prometheus and root.
  fleet: [
    "--project",
    "fleet",
    "test/fleet/day.test.ts",
    "test/fleet/rest.soak.test.ts",
    "test/fleet/kills.test.ts",
    "test/fleet/protocol.test.ts",
    "test/fleet/tried.soak.test.ts",
    "test/fleet/alarms.soak.test.ts",
  ],
  // An API server of Kubernetes, built from the Go proxy, gets what the chart renders for each set of values. Needs Go.
  chart: ["--project", "chart", "test/chart/installed.soak.test.ts"],
  // The page of a live service of 60 sources x 10 environments in a browser; its pictures are in .cache/pictures.
  page: [...main, "test/cli/commands/reconcile-fleet-page.soak.test.ts"],
  // The tests of the sources in their own process, with the bundle in their place.
  bundle: [...main, "test/cli", "test/docs", "test/examples"],
  // The full grids of faults and kills with the real Pulumi engine.
  pulumi: ["--project", "pulumi"],
} as const;

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: Object.keys(parts) },
  },
});

for (const name of values.only) {
  const selection = Object.entries(parts).find(([part]) => part === name)?.[1];
  if (!selection) throw new Error(`--only ${name}: the parts are ${Object.keys(parts).join(", ")}`);
  const env = {
    ...process.env,
    INFRASYNC_TEST_SEED: values.seed,
    ...(name === "cases" && { INFRASYNC_TEST_CASES: values.cases }),
    ...(name === "bundle" ? { INFRASYNC_TEST_BUNDLE: "true" } : { INFRASYNC_TEST_SOAK: "true" }),
  };
  const { status } = spawnSync("npx", ["vitest", "run", ...selection], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}

function testsOf(pattern: RegExp): string[] {
  return globSync("test/**/*.test.ts").filter((file) => pattern.test(readFileSync(file, "utf8")));
}
