import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { type Block, checkout, type Page } from "./markdown.ts";
import { Session } from "./session.ts";
import { matches, matchesLine, outputLines, type Step, stepsOf } from "./transcript.ts";

/** A command that did not give what its page says. */
export interface Difference {
  block: Block;
  step: Step;
  /** What it printed. */
  actual: string[];
  exitCode: number;
}

/** Milliseconds until a command in a terminal of its own has to have printed what the page says. */
const besideLimit = 20_000;

/**
 * Does what a page says, from top to bottom, in a temporary folder: writes its files, runs its commands. Gives the
 * commands with another result.
 */
export async function runPage(page: Page): Promise<Difference[]> {
  const blocks = page.blocks.filter(({ language, file, runBy }) => runBy === undefined && (language === "console" || file));
  if (blocks.length === 0) return [];
  const scratch = await mkdtemp(path.join(tmpdir(), "infrasync-docs-"));
  const emulator = startsEmulator(blocks) ? undefined : await createEmulator();
  const session = new Session(await makePlace(scratch, emulator));
  try {
    const differences: Difference[] = [];
    const seen: string[] = [];
    for (const block of blocks) {
      if (block.file !== undefined) await writeBlock(path.join(scratch, "work", block.file), block);
      else differences.push(...(await runBlock(block, session, seen)));
    }
    return differences;
  } finally {
    await session.close();
    await emulator?.close();
    await rm(scratch, { recursive: true });
  }
}

function startsEmulator(blocks: readonly Block[]): boolean {
  return blocks.some(({ lines }) => lines.some((line) => /^\$ .*infrasync (?:-- )?emulator/.test(line)));
}

async function writeBlock(file: string, { lines }: Block): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${lines.join("\n")}\n`);
}

/** A folder that has what a checkout has for who types commands there, with `infrasync` on the PATH. */
async function makePlace(scratch: string, emulator: Emulator | undefined) {
  const [folder, programs, home] = ["work", "bin", "home"].map((name) => path.join(scratch, name)) as [string, string, string];
  for (const name of [folder, programs, home]) await mkdir(name);
  const program = path.join(programs, "infrasync");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${path.join(checkout, "cli", "main.ts")}' "$@"\n`);
  await chmod(program, 0o755);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ scripts: { infrasync: "infrasync" } }));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:INFRASYNC_|GIT_|npm_|CI$|FORCE_COLOR$)/.test(name));
  const env = {
    ...Object.fromEntries(inherited.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PATH: [programs, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "docs",
    GIT_AUTHOR_EMAIL: "docs@example.com",
    GIT_COMMITTER_NAME: "docs",
    GIT_COMMITTER_EMAIL: "docs@example.com",
    // Starting the CLI is most of what a page costs.
    NODE_COMPILE_CACHE: path.join(checkout, ".cache", "compiled"),
    ...(emulator && { INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin }),
  };
  return { folder, env, scratch };
}

/** Runs the commands of a block; `seen` is all that has been printed in the terminals of the page. */
async function runBlock(block: Block, session: Session, seen: string[]): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const step of stepsOf(block.lines)) {
    const command = asTyped(step.command, seen);
    const { output, exitCode } = step.isBeside ? await runBeside(step, command, session) : await session.run(command);
    const actual = outputLines(output);
    seen.push(...actual);
    const isSame = exitCode === step.exitCode && matches(outputLines(step.output.join("\n")), actual);
    if (!isSame) differences.push({ block, step, actual, exitCode });
  }
  return differences;
}

async function runBeside({ output }: Step, command: string, session: Session) {
  const running = session.runBeside(command);
  const expected = outputLines(output.join("\n"));
  await running.printed((text) => matches(expected, outputLines(text)), besideLimit);
  return { output: running.output, exitCode: 0 };
}

/** A command with `…` in it is a line that has been printed before, to be pasted: that line. */
function asTyped(command: string, seen: readonly string[]): string {
  if (!command.includes("…")) return command;
  const line = seen.findLast((candidate) => matchesLine(command, candidate.trim()));
  if (line === undefined) throw new Error(`nothing has printed a line such as "${command}"`);
  return line.trim();
}
