import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { programs } from "../../fixtures/programs.ts";
import { findTool } from "../../fixtures/tools.ts";

/** The program of util-linux that gives a command a pseudo-terminal. */
export const script = findTool("script");

/** What a person sees at a terminal: its text, with the escape codes in it, and the exit code of the command. */
export interface Seen {
  code: number | null;
  text: string;
}

/** Runs `infrasync` at a pseudo-terminal of so many columns, by default in the working directory of the tests. */
export async function atPseudoTerminal(
  args: readonly string[],
  { columns, env, cwd }: { columns: number; env: Record<string, string>; cwd?: string },
): Promise<Seen> {
  const command = [process.execPath, programs.commandLine, ...args].map(quoted).join(" ");
  const child = spawn(
    script ?? "script",
    ["-qec", `stty cols ${columns} rows 40; exec ${command}`, "/dev/null"],
    {
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env },
      stdio: ["ignore", "pipe", "inherit"],
      ...(cwd !== undefined && { cwd }),
    },
  );
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  await once(child, "close");
  return { code: child.exitCode, text: Buffer.concat(pieces).toString().replaceAll("\r\n", "\n") };
}

/** The codes with which the line of the spinner is removed: to the first column, and clear the rest. */
const removal = "\u001B[1G\u001B[0K";

/** The lines that stay on the terminal: without what was redrawn, and without colours. */
export function linesThatStay({ text }: Seen): string[] {
  return text.split("\n").map((line) => stripVTControlCharacters(line.split(removal).at(-1) ?? ""));
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
