import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { compileCache, programs } from "../fixtures/programs.ts";

/** The command line as a process of its own. */
export interface Child {
  process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when standard error contains this text. */
  says(what: string): Promise<void>;
  ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
}

/**
 * Starts `infrasync` as a separate process that gets only PATH from the environment of this process.
 *
 * @param shell a command line that runs it as `"$0" "$@"`
 */
export function spawnInfrasync(
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
  shell?: string,
): Child {
  const line = [process.execPath, programs.commandLine, ...args];
  const [command = "", ...rest] = shell === undefined ? line : ["sh", "-c", shell, ...line];
  const child = spawn(command, rest, {
    env: { PATH: process.env["PATH"], ...compileCache, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
  });
  let heard = "";
  const waiting: { what: string; resolve(): void }[] = [];
  child.stderr.on("data", (chunk: Buffer) => {
    heard += String(chunk);
    for (const { what, resolve } of waiting) if (heard.includes(what)) resolve();
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += String(chunk);
  });
  return {
    process: child,
    says: (what) =>
      new Promise((resolve) => (heard.includes(what) ? resolve() : waiting.push({ what, resolve }))),
    ended: once(child, "close").then(() => ({
      code: child.exitCode,
      signal: child.signalCode,
      stdout,
      stderr: heard,
    })),
  };
}
