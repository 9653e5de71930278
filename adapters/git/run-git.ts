import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { GitError } from "./errors.ts";
import { userEntry } from "./user-entry.ts";

/** The options of a call of git. */
export interface GitCall {
  folder: string;
  /** All environment variables that git gets. */
  env: Readonly<Record<string, string | undefined>>;
  /** Texts that no message may contain. */
  secrets?: readonly string[];
  input?: string;
  /** Milliseconds. */
  timeout?: number;
  /** The most bytes of output. */
  maxBytes?: number;
  signal?: AbortSignal;
  /** Whether git may ask the user's credential helpers, as for a push on behalf of a person. */
  withHelpers?: boolean;
  /** The setting that names the only credential helper. It is an argument, which everybody on the machine can read. */
  helper?: string;
}

/** The output of a call, and its exit code. */
export interface GitOutput {
  stdout: Buffer;
  stderr: string;
  code: number;
}

/**
 * Settings of each call: no hook and no background work, whatever the configuration of the machine says.
 */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.askPass=",
  "maintenance.auto=false",
  "gc.auto=0",
  "submodule.recurse=false",
  "protocol.version=2",
  "http.followRedirects=false",
].flatMap(asFlag);

function asFlag(setting: string): string[] {
  return ["-c", setting];
}

const defaultTimeout = 120_000;
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Runs git without a shell, in a process group of its own that ends with the call.
 *
 * @throws GitError when git is missing, takes too long, says too much, or the signal ends it
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitOutput> {
  const { folder, env, input = "", timeout = defaultTimeout, maxBytes = defaultMaxBytes, signal } = call;
  const flags = [...settings, ...helperFlags(call)];
  const entry = await userEntry();
  if (signal?.aborted) throw interrupted();
  const child = spawn("git", [...flags, ...args], {
    cwd: folder,
    env: { ...env, ...entry },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let stopped: GitError | undefined;
  const stop = (error: GitError) => {
    stopped ??= error;
    endGroup(child.pid);
  };
  const timer = setTimeout(() => stop(tooSlow(args, timeout)), timeout);
  const onAbort = () => stop(interrupted());
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise<GitOutput>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let stderr = "";
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) stop(tooMuch(maxBytes));
        else chunks.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        if (stderr.length < 10_000) stderr += String(chunk);
      });
      // git may end before it has read everything.
      child.stdin.on("error", () => undefined);
      child.on("error", (error: NodeJS.ErrnoException) =>
        reject(error.code === "ENOENT" && existsSync(folder) ? missing() : error),
      );
      child.on("close", (code) => {
        if (stopped) reject(stopped);
        else
          resolve({ stdout: Buffer.concat(chunks), stderr: withoutSecrets(stderr, call), code: code ?? -1 });
      });
      child.stdin.end(input);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    endGroup(child.pid);
  }
}

/** An empty helper makes git forget those of its configuration. */
function helperFlags({ withHelpers, helper }: GitCall): string[] {
  if (withHelpers) return [];
  return ["credential.helper=", ...(helper === undefined ? [] : [helper])].flatMap(asFlag);
}

/** Ends git and what it has started, such as ssh. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended already.
  }
}

function withoutSecrets(text: string, { secrets = [] }: GitCall): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((shown, secret) => shown.replaceAll(secret, "[token]"), text)
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1");
}

const interrupted = () => new GitError("interrupted", "interrupted", "run again to continue");

const missing = () => new GitError("no_git", "the program git is missing", "install git");

function tooSlow([command = ""]: readonly string[], timeout: number): GitError {
  return new GitError(
    "timeout",
    `git ${command} took longer than ${timeout / 1000} s`,
    "check the network and the server of the repository",
  );
}

function tooMuch(maxBytes: number): GitError {
  return new GitError("too_large", `git printed more than ${maxBytes} bytes`, "split the repository");
}
