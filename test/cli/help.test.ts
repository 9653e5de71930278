import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { infrasync } from "./captured.ts";

test("infrasync --help", async () => {
  const { code, stdout, stderr } = await infrasync(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatchSnapshot();
  expect(await infrasync(["help"])).toMatchObject({ code: 0, stdout });
  expect(await infrasync([])).toEqual({ code: 3, stdout: "", stderr: expect.stringContaining(stdout) });
});

test("nine words lead to a first result, sixteen more to daily use, and they name every command of every day", () => {
  const [, first = "", daily = ""] = readFileSync("docs/explanation/glossary.md", "utf8").split(/^## /m);
  const words = (level: string) => level.split("\n").filter((line) => /^\| (?!Word )/.test(line));
  expect([words(first).length, words(daily).length]).toEqual([9, 16]);
  const everyDay = commands.filter(({ group }) => group === "Every day").map(({ name }) => name);
  expect(everyDay.filter((name) => !new RegExp(`\\b${name}\\b`).test(first + daily))).toEqual([]);
});

test.each(commands)("the help of $name has an example, and is that of help $name", async ({ name }) => {
  const { code, stdout } = await infrasync([name, "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`\nExamples:\n  $ infrasync ${name} `.trimEnd());
  expect(await infrasync(["help", name])).toMatchObject({ code: 0, stdout });
  expect(stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  expect(stdout.split("\n").length).toBeLessThanOrEqual(41);
});

test("all helps together are shorter than a thousand lines", async () => {
  const helps = await Promise.all(
    commands.map(async ({ name }) => (await infrasync([name, "--help"])).stdout),
  );
  expect(helps.join("").split("\n").length).toBeLessThan(1000);
});

test.for([
  [["plan", "--help", "--all"], "--on-quota <action>"],
  [["help", "plan", "--all"], "--on-quota <action>"],
  [["help", "connection"], "--on-quota <action>"],
  [["help", "planning"], "--rotate-secrets <pattern>"],
  [["help", "--all"], "Show the latest events of the organization"],
  [["reconcile", "pause", "--help"], "--until <time>"],
  [["help", "reconcile", "pause"], "Usage: infrasync reconcile pause [options] [environment]"],
] as const)("%s shows %s, which the short help leaves out", async ([args, shown]) => {
  const { code, stdout } = await infrasync([...args]);
  expect(code).toBe(0);
  expect(stdout).toContain(shown);
  const short = await infrasync([args[0] === "help" ? "plan" : args[0], "--help"]);
  expect(short.stdout).not.toContain(shown);
});

// The flags of every command, with their texts, are in docs/reference/cli, which is written from the same table.
test.each(["plan", "clone"])("the layout of the help of %s", async (name) => {
  expect((await infrasync([name, "--help"])).stdout).toMatchSnapshot();
});

test("the help of a word of another tool is that of the command that it means", async () => {
  const { stdout } = await infrasync(["apply", "--help"]);
  expect(await infrasync(["up", "--help"])).toEqual({
    code: 0,
    stdout,
    stderr: "infrasync has no command up; infrasync apply changes live resources to match the manifests\n\n",
  });
  expect(await infrasync(["stash", "-h"])).toMatchObject({ code: 0, stderr: "" });
});

test("--version prints the version", async () => {
  expect(await infrasync(["--version"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: "",
  });
});

test.for([
  [["help", "nonsense"], "error: unknown command 'nonsense'\n  see --help\n"],
  [["help", "aply"], "error: unknown command 'aply'\n  did you mean apply?\n"],
  [["aply"], "error: unknown command 'aply'\n  did you mean apply?\n"],
  [["plan", "--prun"], "error: unknown option '--prun'\n  did you mean --prune?\n"],
  [
    ["plan", "--token", "x"],
    "error: the token cannot be a flag, because other users could read it in the list of processes\n  set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token\n",
  ],
  [["plan", "--tokn=canary"], "error: unknown option '--tokn'\n  see --help\n"],
  [["plan", "--max-request", "x"], "error: unknown option '--max-request'\n  did you mean --max-requests?\n"],
  [["plan", "-target=shop"], "error: unknown option '-target'\n  did you mean --target?\n"],
  [["plan", "-tok=shop"], "error: unknown option '-tok'\n  see --help\n"],
  [["plan", "-target", "shop"], "error: unknown option '-target'\n  did you mean --target?\n"],
  [["plan", ".", "-out=plan.json"], "error: unknown option '-out'\n  did you mean --out?\n"],
  [["apply", "-auto-approve"], "error: unknown option '-auto-approve'\n  --yes skips the confirmation\n"],
  [
    ["apply", "-f", "shop.yaml"],
    "error: unknown option '-f'\n  name files and folders without a flag, such as infrasync plan manifests\n",
  ],
  [["apply", "-y"], "error: unknown option '-y'\n  did you mean --yes?\n"],
  [["destroy", "--yess"], "error: unknown option '--yess'\n  did you mean --yes?\n"],
  [["status", "--yes"], "error: unknown option '--yes'\n  leave it out: this command asks nothing\n"],
  [["plan", "--json"], "error: unknown option '--json'\n  --output json prints one JSON document\n"],
  [["plan", "--out"], "error: option '--out <file>' argument missing\n  see --help\n"],
  [
    ["plan", "--output", "xml"],
    "error: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are text, json, markdown.\n  to write to a file or folder, use --out with plan, dump or schema\n",
  ],
  [
    ["status", "--dry-run"],
    "error: unknown option '--dry-run'\n  leave it out: this command changes nothing\n",
  ],
  [
    ["clone", "job", "shop/staging/a"],
    "error: required option '--to <reference>' not specified\n  for example infrasync clone job:shop/production/migrate --to shop/staging --set cpu=250; --help has more\n",
  ],
  [
    ["completion"],
    "error: missing required argument 'shell'\n  for example infrasync completion bash > /etc/bash_completion.d/infrasync; --help has more\n",
  ],
  [
    ["get"],
    "error: missing required argument 'address'\n  for example infrasync get job:shop/production/migrate; --help has more\n",
  ],
  [
    ["schema", "job", "more"],
    "error: too many arguments for 'schema'. Expected 1 argument but got 2: job, more.\n  see --help\n",
  ],
  [["completion", "csh"], "error: unknown shell 'csh'\n  did you mean zsh?\n"],
] as const)("wrong usage is reported: %s", async ([args, stderr]) => {
  expect(await infrasync([...args])).toEqual({ code: 3, stdout: "", stderr });
});

test.each(["--token=canary", "-token=canary"])(
  "a message about a flag for the token does not show its value: %s",
  async (flag) => {
    const { code, stderr } = await infrasync(["plan", flag]);
    expect(code).toBe(3);
    expect(stderr).toContain("error: the token cannot be a flag");
    expect(stderr).not.toContain("canary");
  },
);

test.each([["--output=json"], ["--output", "json"], ["-o", "json"], ["-ojson"]])(
  "wrong usage is reported as JSON with --output json: %s %s",
  async (...format) => {
    const { code, stdout, stderr } = await infrasync(["plan", "--prun", ...format]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      format: "infrasync-error",
      version: 1,
      error: { code: "usage", message: "unknown option '--prun'" },
      problems: [{ code: "usage", message: "unknown option '--prun'", advice: "did you mean --prune?" }],
    });
  },
);

test.each([["--help"], ["help"]])("%s loads no module but the parser of the command line", (word) => {
  const main = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
  const hooks = `import { registerHooks } from "node:module";
registerHooks({ resolve(specifier, context, next) { process.stderr.write(specifier + "\\n"); return next(specifier, context); } });`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, main, word],
    { encoding: "utf8" },
  );
  expect(status).toBe(0);
  const packages = stderr
    .split("\n")
    .filter((specifier) => /^[a-z@]/.test(specifier) && !/^(?:node|file|data):/.test(specifier));
  expect([...new Set(packages)].toSorted()).toEqual(["commander", "infrasync/package.json", "picocolors"]);
});
