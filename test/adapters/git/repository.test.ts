import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import {
  type GitError,
  readFolder,
  readRepositoryAddress,
  Repository,
  type RepositoryAddress,
} from "../../../adapters/git/index.ts";
import { unreachable } from "../../../adapters/git/remote.ts";
import { runGit } from "../../../adapters/git/run-git.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { findTool } from "../../fixtures/tools.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const token = "git-token-canary";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "infrasync-fake-git-"));
  return () => removeFolder(folder);
});

/** The environment of a program named git that runs this shell script. */
function fakeGit(script: string): { PATH: string } {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env["PATH"]}` };
}

/** A shell command in which the real git, with the settings of the call, prints the credentials that it would send. */
function requested(protocol: string, host: string): string {
  const given = String.raw`printf 'protocol=${protocol}\nhost=${host}\nusername=oauth2\n\n'`;
  // A call ends with `ls-remote`, two options, an address and a branch.
  return `${given} | bash -c '"$0" "\${@:1:$#-5}" credential fill' ${findTool("git")} "$@" 2> ${folder}/said`;
}

function repositoryAt(address: RepositoryAddress, env: Record<string, string | undefined>): Repository {
  return new Repository({ address, branch: "main", folder: join(folder, "data"), env });
}

test("a call that takes too long is ended, with everything that it has started", async () => {
  const env = fakeGit(`sleep 300 & echo $! > ${folder}/pid; wait`);
  await expect(runGit(["ls-remote"], { folder, env, timeout: 1000 })).rejects.toMatchObject({
    failure: "timeout",
    message: "git ls-remote took longer than 1 s",
  });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 60_000 });
});

test("where the system gives no more descriptors, the call fails with an advice, and the process lives on", () => {
  const script = `
    import { openSync } from "node:fs";
    import { runGit } from "${join(import.meta.dirname, "../../../adapters/git/run-git.ts")}";
    const call = () => runGit(["--version"], { folder: "/", env: process.env });
    await call();
    try { for (;;) openSync("/dev/null"); } catch {}
    const { failure, message } = await call().catch((error) => error);
    process.on("exit", () => process.stdout.write(failure + " " + message));`;
  const args = ["-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, "--input-type=module", "-e", script];
  expect(execFileSync("sh", args, { encoding: "utf8" })).toMatch(/^failed git cannot be started: .*EMFILE/);
});

/** A process that has ended and that nobody has waited for does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("a call that prints without an end is ended", async () => {
  const env = fakeGit("yes");
  await expect(runGit(["cat-file"], { folder, env, maxBytes: 100_000 })).rejects.toMatchObject({
    failure: "too_large",
  });
});

test("a signal ends a call", async () => {
  const env = fakeGit("sleep 300");
  const stop = new AbortController();
  const call = runGit(["fetch"], { folder, env, signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await expect(call).rejects.toMatchObject({ failure: "interrupted" });
});

test("a git that is missing is reported as such", async () => {
  await expect(runGit(["fetch"], { folder, env: { PATH: folder } })).rejects.toMatchObject({
    failure: "no_git",
  });
});

test("the token is in no argument and in no message, and git gets it when it asks", async () => {
  const env = fakeGit(`echo "$@" >> ${folder}/arguments
${requested("https", "git.example.com")} > ${folder}/answer
${requested("http", "proxy.example.com")} > ${folder}/proxy
echo "fatal: https://someone:else@git.example.com refused $INFRASYNC_GIT_TOKEN" >&2
exit 128`);
  const address = { url: "https://git.example.com/acme/infra.git", protocol: "https" as const };
  const repository = repositoryAt(address, { ...env, INFRASYNC_GIT_TOKEN: token });
  const error: unknown = await repository.newest().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    failure: "unreachable",
    message:
      "the repository https://git.example.com/acme/infra.git cannot be read: fatal: https://git.example.com refused [token]",
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  expect(read("arguments")).toContain("ls-remote --exit-code -- https://git.example.com/acme/infra.git");
  expect(read("arguments")).not.toContain(token);
  expect(read("answer")).toMatch(new RegExp(`^username=oauth2\npassword=${token}$`, "m"));
  expect(read("proxy")).not.toContain(token);
  // No file of the data folder has to be executable.
  expect(readdirSync(join(folder, "data"))).toEqual([]);
});

test("a token file is read again for each call", async () => {
  const env = fakeGit(
    `${requested("https", "git.example.com")} | grep password >> ${folder}/answers; exit 128`,
  );
  const file = join(folder, "token");
  const address = { url: "https://git.example.com/x.git", protocol: "https" as const };
  const repository = repositoryAt(address, { ...env, INFRASYNC_GIT_TOKEN_FILE: file });
  for (const value of ["first-token", "second-token"]) {
    writeFileSync(file, `${value}\n`);
    await expect(repository.newest()).rejects.toMatchObject({ failure: "unreachable" });
  }
  expect(readFileSync(join(folder, "answers"), "utf8")).toBe("password=first-token\npassword=second-token\n");
});

test("neither the configuration of the user nor variables of git take effect", async () => {
  using origin = new GitRepository();
  const commit = origin.push({ "a.yaml": "" });
  const home = join(folder, "home");
  mkdirSync(home);
  execFileSync("git", [
    "config",
    "--file",
    join(home, ".gitconfig"),
    "url./nowhere.insteadOf",
    origin.origin,
  ]);
  const repository = repositoryAt(
    { url: origin.origin, protocol: "file" },
    {
      PATH: process.env["PATH"],
      HOME: home,
      GIT_DIR: "/nowhere",
      GIT_EXTERNAL_DIFF: "/nowhere",
      GIT_TRACE: "1",
    },
  );
  expect(await repository.newest()).toBe(commit);
});

test("a repository of another user is told with the one command that lets git read it", async () => {
  using origin = new GitRepository();
  origin.push({ "a.yaml": "a: 1\n" });
  const path = fakeGit(`GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${findTool("git")} "$@"`);
  const env = { ...path, HOME: folder };
  const author = join(origin.folder, "author");
  const read = () => readFolder(author, "main", [author], { env, signal: new AbortController().signal });
  const error = await read().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: expect.stringContaining("belongs to another user") });
  const { advice } = error as GitError;
  execFileSync("sh", ["-c", advice.replace("allow it: ", "")], {
    env: { ...env, ...process.env, HOME: folder },
  });
  expect((await read()).files.map(({ path: name }) => name)).toEqual(["a.yaml"]);
  // The service reads no configuration of the user.
  const served = repositoryAt({ url: origin.origin, protocol: "file" }, env);
  await expect(served.newest()).rejects.toMatchObject({ advice: expect.stringContaining("chown") });
});

test("contents of files are fetched when they are read, and large ones are not read", async () => {
  using origin = new GitRepository();
  const commit = origin.push({ "small.yaml": "a: 1\n", "large.yaml": "x".repeat(5000) });
  const repository = repositoryAt(
    { url: `file://${origin.origin}`, protocol: "file" },
    { PATH: process.env["PATH"] },
  );
  await repository.fetch(await repository.newest());
  const entries = await repository.list(await repository.treeOf(commit, ""));
  const copy = join(folder, "data", "repository.git");
  const held = execFileSync("git", ["-C", copy, "rev-list", "--objects", "--all", "--missing=print"], {
    encoding: "utf8",
  });
  expect(held.match(/^\?/gm)).toHaveLength(2);
  const ids = entries.map(({ id }) => id);
  const contents = await repository.contents(ids, 1000);
  expect(entries.map(({ path, id }) => [path, contents.get(id)?.toString()])).toEqual([
    ["large.yaml", undefined],
    ["small.yaml", "a: 1\n"],
  ]);
});

test.each(["", "ref: not a reference", "\0\0\0\0"])(
  "a copy whose HEAD is damaged (%j) is made anew at the next start, and not looked for in the folders above",
  async (head) => {
    using origin = new GitRepository();
    const commit = origin.push({ "a.yaml": "" });
    // Somebody keeps the data in a checkout of another repository.
    execFileSync("git", ["init", "--quiet", folder]);
    const address = { url: origin.origin, protocol: "file" as const };
    const start = () => repositoryAt(address, { PATH: process.env["PATH"] });
    const before = start();
    await before.fetch(await before.newest());
    writeFileSync(join(folder, "data", "repository.git", "HEAD"), head);
    const repository = start();
    expect(await repository.fetch(commit)).toBe(commit);
    expect(await repository.list(await repository.treeOf(commit, ""))).toHaveLength(1);
    expect(readFileSync(join(folder, ".git", "config"), "utf8")).not.toContain("remote");
    writeFileSync(join(folder, "data", "repository.git", "HEAD"), head);
    const later = origin.push({ "b.yaml": "" });
    expect(await repository.fetch(later)).toBe(later);
  },
);

test("a large file outside the path is not fetched, whatever the settings of a local repository say", async () => {
  using origin = new GitRepository();
  origin.atOrigin("config", "uploadpack.allowFilter", "false");
  const commit = origin.push({ "infra/a.yaml": "a: 1\n", video: randomBytes(3_000_000).toString("base64") });
  const repository = repositoryAt(
    { url: `file://${origin.origin}`, protocol: "file" },
    { PATH: process.env["PATH"] },
  );
  await repository.fetch(await repository.newest());
  const [entry] = await repository.list(await repository.treeOf(commit, "infra"));
  expect([...(await repository.contents([entry?.id ?? ""], 1000)).values()].map(String)).toEqual(["a: 1\n"]);
  const packs = join(folder, "data", "repository.git", "objects", "pack");
  expect(readdirSync(packs).reduce((sum, name) => sum + statSync(join(packs, name)).size, 0)).toBeLessThan(
    100_000,
  );
});

test.each([
  ["https://git.example.com/acme/infra.git", "https"],
  ["ssh://git@git.example.com/acme/infra.git", "ssh"],
  ["git@git.example.com:acme/infra.git", "ssh"],
  ["file:///srv/infra.git", "file"],
  ["/srv/infra.git", "file"],
])("%s is reached with %s", (url, protocol) => {
  expect(readRepositoryAddress(url, { allowLocal: true })).toEqual({ address: { url, protocol } });
});

test.each(["infra", "./infra.git", "../infra.git"])(
  "%s is a path from the working directory, and git gets it whole",
  (text) => {
    const address = { url: resolve(text), protocol: "file" };
    expect(readRepositoryAddress(text, { allowLocal: true })).toEqual({ address });
    expect(readRepositoryAddress(text, { allowLocal: false })).toHaveProperty("problem");
  },
);

test.each([
  "http://git.example.com/x.git",
  "git://git.example.com/x.git",
  "ext::sh -c id",
  "--upload-pack=id",
  "-oProxyCommand=id",
  "ssh://-oProxyCommand=id/x",
  "git@-oProxyCommand=id:x",
  "git@-x:y",
  "-x@host:y",
])("%s is not an address of a repository", (url) => {
  expect(readRepositoryAddress(url, { allowLocal: true })).toHaveProperty("problem");
});

test("a failure of ssh is told with its reason, and with what helps a user without an entry in passwd", () => {
  const address = { url: "ssh://git@git.example.com/infra.git", protocol: "ssh" as const };
  const failing = (line: string) =>
    unreachable(address, `${line}\r\nfatal: Could not read from remote repository.\n`);
  expect(failing("Host key verification failed.").message).toMatch(
    /cannot be read: Host key verification failed\.$/,
  );
  expect(failing("No user exists for uid 10001")).toMatchObject({
    message: expect.stringMatching(/cannot be read: No user exists for uid 10001$/),
    advice: expect.stringContaining("libnss-wrapper"),
  });
});
