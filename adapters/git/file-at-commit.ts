import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RepositoryAddress } from "./address.ts";
import { gitEnvironment } from "./environment.ts";
import { GitError } from "./errors.ts";
import { type Git, listTree, readBlobs } from "./objects.ts";
import { unreachable } from "./remote.ts";
import { short } from "./revision.ts";
import { runGit } from "./run-git.ts";

const maximumBytes = 1024 * 1024;

/**
 * Reads one file of a commit of another repository, without its history and its other files. The address may come from
 * a file under version control, so Git gets no token: it reads only public repositories, or those that the keys of ssh
 * open.
 *
 * @returns undefined if the file is too large
 * @throws GitError
 */
export async function readFileAt(
  address: RepositoryAddress,
  commit: string,
  path: string,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-template-"));
  try {
    const { INFRASYNC_GIT_TOKEN: _token, INFRASYNC_GIT_TOKEN_FILE: _file, ...others } = env;
    const given = await gitEnvironment(others, folder, address);
    const git: Git = async (args, call = {}) => {
      const output = await runGit(args, { folder, env: given.env, signal, ...call });
      if (output.code !== 0) throw unreachable(address, output.stderr);
      return output;
    };
    const format = `--object-format=${commit.length === 64 ? "sha256" : "sha1"}`;
    await git(["init", "--quiet", "--bare", "--template=", format, "."]);
    await git(["fetch", "--quiet", "--no-tags", "--depth=1", "--", address.url, commit]);
    const entries = await listTree(git, commit);
    const file = entries.find((entry) => entry.path === path && entry.mode.startsWith("100"));
    if (!file)
      throw new GitError("no_path", `the commit ${short(commit)} has no file ${path}`, "check the path");
    return (await readBlobs(git, [file.id], maximumBytes)).get(file.id);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
