import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { GitError } from "./errors.ts";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

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
  /** Whether the hooks of the repository run, as for a commit of the user. */
  withHooks?: boolean;
  /** The setting that names the only credential helper. It is an argument, which everybody on the machine can read. */
  helper?: string;
}

/** The output of a call, and its exit code. */
export interface GitOutput {
  stdout: Buffer;
  stderr: string;
  code: number;
}

/** The setting with which no hook runs, whatever the configuration of the machine says. */
const noHooks = asFlag("core.hooksPath=/dev/null");

/** Settings of each call: no background work, whatever the configuration of the machine says. */
const settings = [
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
  const flags = [...(call.withHooks ? [] : noHooks), ...settings, ...helperFlags(call)];
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
      // First: where the system has no descriptor left, nothing but this tells, and the child has no streams.
      child.on("error", (error: NodeJS.ErrnoException) =>
        reject(error.code === "ENOENT" && existsSync(folder) ? missing() : notStarted(error)),
      );
      const { stdin, stdout: out, stderr: errors } = child as Partial<typeof child>;
      if (!stdin || !out || !errors) return;
      const chunks: Buffer[] = [];
      let bytes = 0;
      let stderr = "";
      out.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) stop(tooMuch(maxBytes));
        else chunks.push(chunk);
      });
      errors.on("data", (chunk: Buffer) => {
        if (stderr.length < 10_000) stderr += String(chunk);
      });
      // git may end before it has read everything.
      stdin.on("error", () => undefined);
      child.on("close", (code) => {
        if (stopped) reject(stopped);
        else
          resolve({ stdout: Buffer.concat(chunks), stderr: withoutSecrets(stderr, call), code: code ?? -1 });
      });
      stdin.end(input);
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

const notStarted = ({ message }: Error) =>
  new GitError(
    "failed",
    `git cannot be started: ${message}`,
    "check the limits of this process, such as ulimit -n",
  );

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

/** Where systems have the library that answers for passwd. Source: nss_wrapper(1). */
const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64", "."].map((folder) =>
  join("/usr/lib", folder, "libnss_wrapper.so"),
);

type Variables = Readonly<Record<string, string>>;
let made: Promise<Variables> | undefined;

/**
 * The variables that give this user an entry in passwd, if it has none: ssh and ssh-keygen refuse to run without one, and
 * a container may run as any user. Where the library is missing, there are none.
 */
function userEntry(): Promise<Variables> {
  return (made ??= makeEntry());
}

async function makeEntry(): Promise<Variables> {
  const { LD_PRELOAD: preloaded, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group } = process.env;
  // The image has given this user an entry in the same way.
  if (preloaded && passwd && group)
    return { LD_PRELOAD: preloaded, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
  const library = hasEntry() ? undefined : libraries.find((file) => existsSync(file));
  if (library === undefined) return {};
  const folder = await mkdtemp(join(tmpdir(), "infrasync-user-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const write = async (name: string, line: string) => {
    await writeFile(join(folder, name), `${line}\n`);
    return join(folder, name);
  };
  return {
    LD_PRELOAD: library,
    NSS_WRAPPER_PASSWD: await write("passwd", `infrasync:x:${uid}:${gid}::${tmpdir()}:/bin/sh`),
    NSS_WRAPPER_GROUP: await write("group", `infrasync:x:${gid}:`),
  };
}

function hasEntry(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
