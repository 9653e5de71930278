import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { githubText } from "../../cli/commands/init/pipelines.ts";
import { isFields } from "../../core/values/json.ts";

const checkout = path.join(import.meta.dirname, "../..");
const folder = path.join(checkout, ".github/workflows");
const { scripts } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** The uses of actions that whoever owns the action could change: a job that has tokens would run what the tag says then. */
function unpinnedIn(text: string): string[] {
  const used = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
  return used.filter(
    (line) => !/uses: (?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|<owner>\/infrasync@.*)$/.test(line),
  );
}

test.each([
  ...["ci", "pull-requests"].map(
    (name) =>
      [
        `the guide ${name}`,
        () => readFileSync(path.join(checkout, `docs/guides/${name}.md`), "utf8"),
      ] as const,
  ),
  [
    "infrasync init --ci github",
    () =>
      githubText({
        baseUrl: "https://api.example.com",
        ciPackage: { scope: "@a", name: "b", version: "1.0.0" },
      }),
  ] as const,
])("the workflow of %s names each action by its commit", (_name, read) => {
  expect(read()).toContain("uses: actions/");
  expect(unpinnedIn(read())).toEqual([]);
});

describe.each(readdirSync(folder))("the workflow %s", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");
  const workflow: unknown = parse(text);

  test("names only npm scripts that exist", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test("may by default only read, and each job has a time limit", () => {
    const { permissions, jobs } = workflow as { permissions: unknown; jobs: Record<string, unknown> };
    expect(permissions).toEqual({ contents: "read" });
    const unlimited = Object.entries(jobs).filter(([, job]) => isFields(job) && !("timeout-minutes" in job));
    expect(unlimited.map(([job]) => job)).toEqual([]);
  });

  test("names each action by its commit, and says which version that is", () => {
    expect(unpinnedIn(text)).toEqual([]);
  });

  test("puts no text that others write into a shell command", () => {
    // `${{ }}` in a command is filled in before the shell reads it: what a branch is called would be run.
    const commands = [...text.matchAll(/run: (?:\|\n(?: {10}.*\n)+|.*)/g)].map(([command]) => command);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => command.includes("${{"))).toEqual([]);
  });
});

test("the nightly soak runs every part of npm run soak", () => {
  const soak = readFileSync(path.join(checkout, "test/soak.ts"), "utf8");
  const parts = /const parts = \{([^]*?)\} as const/.exec(soak)?.[1]?.match(/^ {2}\w+(?=: \[)/gm) ?? [];
  const nightly = parse(readFileSync(path.join(folder, "nightly.yml"), "utf8")) as {
    jobs: { soak: { strategy: { matrix: { part: string[] } } } };
  };
  expect(parts.length).toBeGreaterThan(4);
  expect(nightly.jobs.soak.strategy.matrix.part).toEqual(parts.map((part) => part.trim()));
});

type Steps = { run?: string; uses?: string }[];

/** The jobs of a workflow. */
function jobsOf(name: string) {
  const { jobs } = parse(readFileSync(path.join(folder, name), "utf8")) as {
    jobs: Record<
      string,
      { "runs-on": string; strategy?: { matrix: { include?: { os: string; name: string }[] } }; steps: Steps }
    >;
  };
  return jobs;
}

test("a release starts each executable on the system that it is for, before anything takes it from there", () => {
  const { executables } = jobsOf("release.yml");
  expect(executables?.["runs-on"]).toBe("${{ matrix.os }}");
  expect(executables?.strategy?.matrix.include?.map(({ name }) => name)).toEqual([
    "linux-x64",
    "linux-arm64",
    "darwin-arm64",
    "darwin-x64",
    "win32-x64",
  ]);
  const steps = executables?.steps.map(({ run, uses = "" }) => run ?? uses.replace(/@.*/, "")) ?? [];
  const relevant = steps.filter((step) => /:binary|upload/.test(step));
  expect(relevant).toEqual([
    "npm run build:binary",
    "npm run check:binary -- dist-binary",
    "actions/upload-artifact",
  ]);
});

test("CI asks the registry for known weaknesses of the packages, and whether they are those that were published", () => {
  const commands = jobsOf("ci.yml")["audit"]?.steps.flatMap(({ run }) => run ?? []);
  expect(commands).toEqual([
    "npm ci --ignore-scripts",
    "npm audit --omit=dev",
    "npm audit --audit-level=high",
    "npm audit signatures",
  ]);
  // It has to pass on a machine without a network.
  expect(readFileSync(path.join(checkout, ".ci/run"), "utf8")).not.toContain("npm audit");
});

test("each night, the tests run beside two processes that never rest, and changes of the engine are held against them", () => {
  const { stress, mutations } = jobsOf("nightly.yml");
  const commands = (steps: Steps = []) => steps.flatMap(({ run }) => run?.trim() ?? []);
  expect(commands(stress?.steps)).toEqual([
    "npm ci",
    "(while :; do :; done) & (while :; do :; done) &\nnpm test",
  ]);
  expect(commands(mutations?.steps)).toEqual(["npm ci", 'npm run mutations -- --seed "$SEED"']);
});
