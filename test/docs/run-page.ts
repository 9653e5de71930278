import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { compileCache, programs } from "../fixtures/programs.ts";
import type { CommandPool } from "../fixtures/command-pool.ts";
import type { Block, Page } from "./markdown.ts";
import { Session } from "./session.ts";
import { matches, outputLines, type Step, stepsOf } from "./transcript.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** A command whose output differs from its page. */
export interface Difference {
  block: Block;
  step: Step;
  /** The real output. */
  actual: string[];
  exitCode: number;
}

/** The milliseconds in which a background command must print its output. */
const besideLimit = 20_000;

/**
 * Follows a page from top to bottom in a temporary folder: writes its files, runs its commands. Returns the commands
 * with another result.
 *
 * @param pool runs the commands `infrasync`; undefined if each is a process of its own
 */
export async function runPage(page: Page, pool: CommandPool | undefined): Promise<Difference[]> {
  const blocks = page.blocks.filter(
    ({ language, file, runBy }) => file !== undefined || (language === "console" && runBy === undefined),
  );
  if (blocks.length === 0) return [];
  const scratch = await mkdtemp(path.join(tmpdir(), "infrasync-docs-"));
  const emulator = await emulatorFor(page, blocks);
  const runner = pool?.lease();
  const session = new Session(await makePlace(scratch, emulator), runner);
  try {
    const differences: Difference[] = [];
    for (const block of blocks) {
      if (block.file !== undefined) await writeBlock(block.file, block, session);
      else differences.push(...(await runBlock(block, session)));
    }
    return differences;
  } finally {
    await session.close();
    runner?.release();
    await emulator?.close();
    await removeFolder(scratch);
  }
}

/** An emulator with the seed from the page's comment `seed: NAME`; none for a page that starts one itself. */
async function emulatorFor({ lines }: Page, blocks: readonly Block[]): Promise<Emulator | undefined> {
  const starts = /^\$ infrasync emulator /;
  if (blocks.some((block) => block.lines.some((line) => starts.test(line)))) return undefined;
  const seeds = lines.flatMap((line) => /^<!-- seed: (\S+) -->$/.exec(line)?.[1] ?? []);
  const [seed] = seeds;
  return createEmulator(seed === undefined ? {} : { seed });
}

/** Writes a file into the working directory of the shell. */
async function writeBlock(name: string, { lines }: Block, session: Session): Promise<void> {
  const { output: folder } = await session.run("pwd");
  const file = path.join(folder.trim(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${lines.join("\n")}\n`);
}

/** A folder like a checkout for a user who types commands, with `infrasync` on the PATH. */
async function makePlace(scratch: string, emulator: Emulator | undefined) {
  const [folder, bin, home] = ["work", "bin", "home"].map((name) => path.join(scratch, name)) as [
    string,
    string,
    string,
  ];
  for (const name of [folder, bin, home]) await mkdir(name);
  const program = path.join(bin, "infrasync");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${programs.commandLine}' "$@"\n`);
  await chmod(program, 0o755);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ scripts: { infrasync: "infrasync" } }));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:INFRASYNC_|GIT_|npm_|CI$|FORCE_COLOR$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PATH: [bin, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
    HOME: home,
    XDG_CACHE_HOME: path.join(home, ".cache"),
    // How much a plan remembers depends on how long ago the commands before it ran.
    INFRASYNC_FRESH: "true",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "docs",
    GIT_AUTHOR_EMAIL: "docs@example.com",
    GIT_COMMITTER_NAME: "docs",
    GIT_COMMITTER_EMAIL: "docs@example.com",
    npm_config_update_notifier: "false",
    // Starting the CLI takes most of the time of a page.
    ...compileCache,
    // Pages run side by side, and readers have one machine for themselves.
    INFRASYNC_LISTEN: "127.0.0.1:0",
    ...(emulator && { INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin }),
  };
  return { folder, env, scratch };
}

async function runBlock(block: Block, session: Session): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const step of stepsOf(block.lines)) {
    const { output, exitCode } = step.isBeside
      ? await runBeside(step, session)
      : await session.run(step.command);
    const actual = outputLines(output);
    const isSame = exitCode === step.exitCode && matches(outputLines(step.output.join("\n")), actual);
    if (!isSame) differences.push({ block, step, actual, exitCode });
  }
  return differences;
}

async function runBeside({ command, output }: Step, session: Session) {
  const running = session.runBeside(command);
  const expected = outputLines(output.join("\n"));
  await running.printed((text) => matches(expected, outputLines(text)), besideLimit);
  return { output: running.output, exitCode: 0 };
}
