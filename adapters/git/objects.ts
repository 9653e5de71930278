import { createHash } from "node:crypto";
import type { ProgramOutput } from "../../core/files/run-program.ts";
import { causeOf } from "../../core/files/program-cause.ts";
import { GitError } from "./errors.ts";
import { isObjectId, short } from "./revision.ts";
import type { GitCall } from "./run-git.ts";

/** Runs Git on a repository, and expects it to succeed. */
export type Git = (args: readonly string[], call?: Partial<GitCall>) => Promise<ProgramOutput>;

export function linesOf(stdout: Buffer): string[] {
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

export interface TreeEntry {
  /** From the folder, with `/`. */
  path: string;
  /** `100644`: a file, `120000`: a symbolic link, `160000`: a submodule. */
  mode: string;
  type: string;
  id: string;
}

/**
 * The files of a folder of a commit and of its subfolders.
 *
 * @param places only these files and folders, relative to the folder; `""`: all
 * @param options.isDeep whether folders are listed by the files in them; default: yes
 * @throws GitError also for a path that no checkout can have
 */
export async function listTree(
  git: Git,
  tree: string,
  places: readonly string[] = [""],
  { isDeep = true } = {},
): Promise<TreeEntry[]> {
  const within = places.includes("") ? [] : ["--", ...places];
  const deep = isDeep ? ["-r"] : [];
  const { stdout } = await git(["ls-tree", ...deep, "-z", "--full-tree", tree, ...within]);
  const entries = stdout
    .toString()
    .split("\0")
    .flatMap((line) => {
      const [, mode = "", type = "", id = "", path] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [{ path, mode, type, id }];
    });
  const foreign = entries.find(({ path }) => path.split("/").some((name) => foreignName.test(name)));
  if (foreign)
    throw new GitError(
      "failed",
      `the tree ${isObjectId(tree) ? short(tree) : tree} has the path ${JSON.stringify(foreign.path)}, which leads outside its folder, or into the .git folder`,
      "no checkout can have such a path: remove it from the commit",
    );
  return entries;
}

/** Names that no checkout gives: writing a tree with such a name writes elsewhere. Source: git-fsck(1). */
const foreignName = /^(?:|\.{1,2}|\.git)$/i;

/** The most bytes from one process of Git, and of one file. */
const batchBytes = 32 * 1024 * 1024;
/** The most bytes that Git adds to the content of a file, without its id. */
const headerBytes = 24;

/** The contents of files by id; undefined for a file larger than `maxBytes`. Sizes are checked before any read. */
export async function readBlobs(
  git: Git,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, Buffer | undefined>> {
  const contents = new Map<string, Buffer | undefined>();
  if (ids.length === 0) return contents;
  const input = `${ids.join("\n")}\n`;
  const sizes = (
    await git(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], { input })
  ).stdout
    .toString()
    .split("\n");
  const batches: string[][] = [];
  let room = 0;
  for (const line of sizes) {
    const [id = "", type, text] = line.split(" ");
    const size = Number(text);
    if (type === "blob" && size > maxBytes) contents.set(id, undefined);
    if (type !== "blob" || size > maxBytes) continue;
    room -= size + id.length + headerBytes;
    if (room < 0) {
      batches.push([]);
      room = batchBytes;
    }
    batches.at(-1)?.push(id);
  }
  for (const batch of batches) {
    const { stdout } = await git(["cat-file", "--batch"], { input: `${batch.join("\n")}\n` });
    let at = 0;
    for (const id of batch) {
      const end = stdout.indexOf(10, at);
      const [found, , size] = stdout.subarray(at, end).toString().split(" ");
      const length = Number(size);
      if (found !== id || !Number.isInteger(length)) throw incomplete(id);
      const content = stdout.subarray(end + 1, end + 1 + length);
      // Git silently reads another object if the index of a pack is damaged.
      if (idOf(content, id.length) !== id) throw incomplete(id);
      contents.set(id, content);
      at = end + 1 + length + 1;
    }
  }
  for (const id of ids) if (!contents.has(id)) throw incomplete(id);
  return contents;
}

/** The id that Git gives a content. @param digits of the ids of the repository */
function idOf(content: Buffer, digits: number): string {
  const hash = createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

function incomplete(id: string): GitError {
  return new GitError(
    "failed",
    `the content ${short(id)} is missing, or damaged`,
    "check the repository with git fsck",
  );
}

/** The ids of a folder in some commits; undefined: a commit does not have it. */
export async function foldersOf(
  git: Git,
  commits: readonly string[],
  path: string,
): Promise<(string | undefined)[]> {
  const places = commits.map((commit) => (path === "" ? `${commit}^{tree}` : `${commit}:${path}`));
  const args = ["cat-file", "--batch-check=%(objecttype) %(objectname)"];
  const output = await git(args, { input: `${places.join("\n")}\n` });
  // Git prints nothing here about a missing folder, but reports an unreadable object.
  if (output.stderr !== "") throw failed(args, output);
  return linesOf(output.stdout).map((line) => /^tree ([0-9a-f]+)$/.exec(line)?.[1]);
}

export function failed(args: readonly string[], { stderr }: ProgramOutput): GitError {
  return new GitError(
    "failed",
    `git ${args.find((arg) => !arg.startsWith("-")) ?? ""} has failed: ${causeOf(stderr).message}`,
    "the copy of the repository was fetched again, and that did not help: check the disk with the folder of --data",
  );
}
