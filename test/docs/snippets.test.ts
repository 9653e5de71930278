import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { Console } from "../../cli/terminal/console.ts";
import { SettingsReader } from "../../cli/settings/index.ts";
import { parseManifest } from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { type Block, checkout, readSnippets } from "./markdown.ts";
import { stepsOf } from "./transcript.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const snippets = readSnippets();

/** Blocks without a command of their page that uses them. */
const alone = snippets.filter(({ block }) => block.file === undefined);

test("the pages contain only commands that a test runs", () => {
  const shells = new Set(["sh", "bash", "shell", "zsh", "fish", "powershell", "cmd", "bat", "shell-session"]);
  expect(alone.filter(({ block }) => shells.has(block.language)).map(({ at }) => at)).toEqual([]);
});

test.each(snippets.filter(({ block }) => block.runBy !== undefined))(
  "a test file runs the commands at $at",
  ({ page, block }) => {
    const text = readFileSync(path.join(checkout, block.runBy ?? ""), "utf8");
    const run = page.blocks.filter(({ language, runBy }) => language === "console" && runBy === undefined);
    const runOnPage = new Set(run.flatMap(commandsOf));
    const commands = commandsOf(block);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => !text.includes(command) && !runOnPage.has(command))).toEqual([]);
  },
);

/** The commands of a console block, or of the steps of a workflow, without trailing comments. */
function commandsOf({ language, lines }: Block): string[] {
  const typed =
    language === "console"
      ? stepsOf(lines).map(({ command }) => command.replace(/\s+# .*$/, ""))
      : lines.flatMap((line) => /^\s*(?:- )?run: (.+)$/.exec(line)?.[1] ?? []);
  return typed.flatMap((command) => command.split(" && "));
}

test.each(alone.filter(({ block }) => block.language === "yaml"))(
  "the YAML at $at is a valid manifest or settings file",
  async ({ block }) => {
    const text = block.lines.join("\n");
    const isManifest = block.lines.some((line) => line.startsWith("kind:"));
    const problems = isManifest ? parseManifest(text, "snippet.yaml").problems : await settingsProblems(text);
    expect(problems.map(({ message }) => message)).toEqual([]);
  },
);

async function settingsProblems(text: string): Promise<readonly Problem[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-docs-"));
  try {
    const config = path.join(folder, "infrasync.config.yaml");
    await writeFile(config, text);
    const stream = new PassThrough();
    const io = {
      stdin: stream,
      stdout: stream,
      stderr: stream,
      env: {},
      signal: new AbortController().signal,
    };
    const reader = await SettingsReader.open(
      { config },
      { orders: [] },
      new Console(io, { json: false, jsonLines: false, color: false }),
    );
    reader.check();
    return reader.problems;
  } finally {
    await removeFolder(folder);
  }
}

test.each(alone.filter(({ block }) => block.language === "json"))("the JSON at $at is valid", ({ block }) => {
  JSON.parse(block.lines.join("\n"));
});

test.each(snippets.filter(({ block }) => block.file?.startsWith(".github/")))(
  "the workflow at $at is valid YAML",
  ({ block }) => {
    expect(parse(block.lines.join("\n"))).toHaveProperty("jobs");
  },
);
