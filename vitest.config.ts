import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { compileCache } from "./test/fixtures/programs.ts";
import { SlowFirst } from "./test/fixtures/slow-first.ts";
import { sourceFolders } from "./tools/source-folders.ts";

const withPulumiEngine = "test/provider/engine/**/*.test.ts";
const withPostgres = "test/fleet/**/*.test.ts";
const ofTheImage = "test/image/**/*.test.ts";
const ofTheSite = "test/tools/site.test.ts";
const ofTheChart = "test/chart/**/*.test.ts";
const ofTheSoak = "test/**/*.soak.test.ts";
const ofTheTraffic = "test/conformance/**/*.test.ts";
/** Half of the time of all tests, and a fifth of their number: the reconciler, grids, random cases, kills, what runs in CI. */
const long = [
  "test/**/*.long.test.ts",
  "test/**/*.property.test.ts",
  "test/core/steps/**/*.test.ts",
  "test/faults/**/*.test.ts",
  "test/reconciler/**/*.test.ts",
  "test/cli/commands/reconcile*.test.ts",
  "test/ci/**/*.test.ts",
];

/** A file for the report of a run, as JSON. */
const report = process.env["INFRASYNC_TEST_REPORT"];

/** Whether `npm run soak` runs, which tries many times as many cases. */
const isSoak =
  process.env["INFRASYNC_TEST_SOAK"] === "true" || process.env["INFRASYNC_TEST_CASES"] !== undefined;

// What Node has compiled is there for the next process: a run of one file takes a quarter less. A coverage is not exact with it.
if (!process.argv.includes("--coverage")) Object.assign(process.env, compileCache);

export default defineConfig({
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    // Two workers more than there are cores: half of their time goes by waiting for processes, timers and sockets.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFirst },
    // Loading everything anew for each file would take a fifth of the time; tests keep no state in modules.
    isolate: false,
    // Node loads the sources itself: that takes an eighth less of the processor than Vite's modules, and nothing is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    unstubEnvs: true,
    setupFiles: "test/setup.ts",
    // Limits are for what hangs: on an idle machine, no test takes a twentieth of this.
    testTimeout: isSoak ? 3_600_000 : 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Of what the worker processes run; what a test starts as a process of its own, such as a bundle, does not count.
    coverage: {
      provider: "v8",
      include: sourceFolders.map((name) => `${name}/**`),
      exclude: ["**/checks/*.js", "provider/generated/**"],
      reporter: [["text", { maxCols: 120, skipFull: true }], "json-summary"],
      reportsDirectory: "coverage",
    },
    projects: [
      {
        extends: true,
        test: {
          name: "main",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...(isSoak ? [] : [ofTheSoak]),
            withPulumiEngine,
            ofTheTraffic,
            withPostgres,
            ofTheImage,
            ofTheSite,
            ofTheChart,
            ...long,
          ],
          globalSetup: "test/global-setup.ts",
          // Most of the code runs too seldom to be worth the last stage of compilation, which took a sixth of the processor's time.
          execArgv: ["--max-opt=2", "--max-semi-space-size=64"],
          // Each of the pages that run side by side has a process of its own, which compiles the program for itself.
          maxConcurrency: 3,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: long,
          exclude: isSoak ? [] : [ofTheSoak],
          globalSetup: "test/global-setup.ts",
        },
      },
      {
        extends: true,
        test: { name: "conformance", include: [ofTheTraffic], globalSetup: "test/global-setup.ts" },
      },
      // Builds the site, which takes longer than all else that needs a browser.
      { extends: true, test: { name: "site", include: [ofTheSite], globalSetup: "test/global-setup.ts" } },
      // Builds helm.
      { extends: true, test: { name: "chart", include: [ofTheChart], exclude: isSoak ? [] : [ofTheSoak] } },
      // Builds the image from a clone, and needs root to mount its root.
      { extends: true, test: { name: "image", include: [ofTheImage] } },
      {
        extends: true,
        test: {
          name: "fleet",
          include: [withPostgres],
          exclude: isSoak ? [] : [ofTheSoak],
          globalSetup: "test/global-setup.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "pulumi",
          include: [withPulumiEngine],
          // Building what these need takes minutes.
          exclude: isSoak ? [] : [ofTheSoak],
          globalSetup: "test/provider/engine/global-setup.ts",
          // A test waits most of its time for the processes of its own engine.
          sequence: { concurrent: true },
          maxConcurrency: 2,
        },
      },
    ],
  },
});
