import { existsSync, rmSync } from "node:fs";
import { ProgramError, type ProgramOutput, runProgram } from "../../core/files/run-program.ts";
import { GitError } from "./errors.ts";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

export interface GitCall {
  folder: string;
  /** The whole environment of Git. */
  env: Readonly<Record<string, string | undefined>>;
  secrets?: readonly string[];
  input?: string;
  /** Milliseconds. */
  timeout?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  /** Whether Git may ask the user's credential helpers, as for a push on behalf of a person. */
  withHelpers?: boolean;
  /** Whether the hooks of the repository run, as for a commit of the user. */
  withHooks?: boolean;
  /** Whether the answer only depends on object ids, so that it never changes, and this process caches it. */
  isFixed?: boolean;
  /** The setting of the only credential helper. It is an argument, which everybody on the machine can read. */
  helper?: string;
}

/** The setting that disables hooks, whatever the configuration of the machine. */
const noHooks = asFlag("core.hooksPath=/dev/null");

/** Settings of each call: no background work, whatever the configuration of the machine. */
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

/** Cached answers about objects by their ids, the oldest first: the process is the cost of a question. */
const fixed = new Map<string, ProgramOutput>();
const mostFixed = 500;
const largestFixed = 64 * 1024;

/**
 * Runs Git without a shell, in a process group of its own that ends with the call.
 *
 * @throws GitError when Git is missing, takes too long, prints too much, or the signal ends it
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<ProgramOutput> {
  if (!call.isFixed) return start(args, call);
  const key = JSON.stringify([call.folder, call.env, call.input, args]);
  const known = fixed.get(key);
  if (known) return known;
  const output = await start(args, call);
  if (output.code !== 0 || output.stdout.length > largestFixed) return output;
  fixed.set(key, output);
  for (const oldest of [...fixed.keys()].slice(0, Math.max(0, fixed.size - mostFixed))) fixed.delete(oldest);
  return output;
}

async function start(args: readonly string[], call: GitCall): Promise<ProgramOutput> {
  const { folder, env, input, timeout = defaultTimeout, maxBytes = defaultMaxBytes, signal } = call;
  const flags = [...(call.withHooks ? [] : noHooks), ...settings, ...helperFlags(call)];
  try {
    const output = await runProgram("git", [...flags, ...args], {
      folder,
      env: { ...env, ...(await userEntry()) },
      ...(input !== undefined && { input }),
      timeout,
      maxBytes,
      signal,
      inOwnGroup: true,
    });
    const owned = /dubious ownership in repository at '(.*)'/.exec(output.stderr)?.[1];
    if (output.code !== 0 && owned !== undefined) throw foreign(owned, env);
    return { ...output, stderr: withoutSecrets(output.stderr, call) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    switch (error.why) {
      case "interrupted":
        throw new GitError("interrupted", "interrupted", "run again to continue");
      case "timeout":
        throw new GitError(
          "timeout",
          `git ${args[0] ?? ""} took longer than ${timeout / 1000} s`,
          "check the network and the server of the repository",
        );
      case "too_much":
        throw new GitError("too_large", `git printed more than ${maxBytes} bytes`, "split the repository");
      case "missing":
        throw existsSync(folder)
          ? new GitError("no_git", "the program git is missing", "install git")
          : notStarted(error);
      case "not_started":
        throw notStarted(error);
    }
  }
}

/** An empty helper makes Git forget those of its configuration. */
function helperFlags({ withHelpers, helper }: GitCall): string[] {
  if (withHelpers) return [];
  return ["credential.helper=", ...(helper === undefined ? [] : [helper])].flatMap(asFlag);
}

function withoutSecrets(text: string, { secrets = [] }: GitCall): string {
  return secrets
    .filter((secret) => secret !== "")
    .reduce((shown, secret) => shown.replaceAll(secret, "[token]"), text)
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1");
}

const notStarted = ({ message }: Error) =>
  new GitError(
    "failed",
    `git cannot be started: ${message}`,
    "check the limits of this process, such as ulimit -n",
  );

/** A repository of another user, which the user's configuration may permit. */
function foreign(repository: string, env: GitCall["env"]): GitError {
  return new GitError(
    "failed",
    `git reads nothing of ${repository}, because it belongs to another user`,
    env["GIT_CONFIG_GLOBAL"] === undefined
      ? `allow it: git config --global --add safe.directory '${repository}'`
      : "run infrasync as the user that owns it, or give it to this user with chown -R",
  );
}

/** The folders of the library that answers for passwd. Source: nss_wrapper(1). */
const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64", "."].map((folder) =>
  join("/usr/lib", folder, "libnss_wrapper.so"),
);

type Variables = Readonly<Record<string, string>>;
let made: Promise<Variables> | undefined;

/**
 * The variables that give this user an entry in passwd, if it has none: ssh and ssh-keygen refuse to run without one,
 * and a container may run as any user. Empty without the library.
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
