import { relative, sep } from "node:path";
import { causeOf } from "../../core/program-cause.ts";
import { GitError } from "./errors.ts";
import { type Git, listTree, readBlobs } from "./objects.ts";
import { type GitOutput, runGit } from "./run-git.ts";

/** A file of a commit. */
export interface CommittedFile {
  /** From the top of the repository, with `/`. */
  path: string;
  content: Buffer;
}

/** The files of a commit, as far as they lie in one of several places, and the top of their repository. */
export interface CommittedFiles {
  top: string;
  files: CommittedFile[];
}

const regularFiles = new Set(["100644", "100755"]);
const mostFiles = 10_000;
const maximumBytes = 1024 * 1024;

/**
 * Reads files of a commit of the repository around a folder, without a checkout.
 *
 * @param reference a branch, a tag or a commit, such as `origin/main`
 * @param places absolute paths of files or folders; what the commit does not have there is left out
 * @throws GitError
 */
export async function readFolder(
  folder: string,
  reference: string,
  places: readonly string[],
  {
    env,
    signal,
    isWanted = () => true,
  }: {
    env: Readonly<Record<string, string | undefined>>;
    signal: AbortSignal;
    /** Which files are read; default: all. */
    isWanted?: ((path: string) => boolean) | undefined;
  },
): Promise<CommittedFiles> {
  const call = {
    folder,
    signal,
    // The configuration of the user says which repositories belong to others; nothing is fetched.
    env: {
      PATH: env["PATH"],
      HOME: env["HOME"],
      LC_ALL: "C",
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "",
      GIT_LITERAL_PATHSPECS: "1",
    },
  };
  const git: Git = async (args, more = {}) => {
    const output = await runGit(args, { ...call, ...more });
    if (output.code === 0) return output;
    throw failed(args[0], output);
  };
  const found = await runGit(
    ["rev-parse", "--show-toplevel", "--quiet", "--verify", "--end-of-options", `${reference}^{tree}`],
    call,
  );
  const [top = "", tree = ""] = found.stdout.toString().split("\n");
  if (top === "") throw failed("rev-parse", found);
  if (found.code !== 0)
    throw new GitError(
      "no_branch",
      `neither a folder nor a reference of the repository ${top} is called ${reference}`,
      "check the name; in CI, fetch the base first",
    );
  const wanted = places.map((place) => relative(top, place).split(sep).join("/"));
  const outside = wanted.find((path) => path.startsWith(".."));
  if (outside !== undefined)
    throw new GitError(
      "no_path",
      `${outside} is not in the repository ${top}`,
      "name folders of one repository",
    );
  if (wanted.length === 0) return { top, files: [] };
  const entries = (await listTree(git, tree, wanted)).filter(
    ({ mode, path }) => regularFiles.has(mode) && isWanted(path),
  );
  if (entries.length > mostFiles)
    throw new GitError(
      "too_large",
      `${reference} has ${entries.length} files there`,
      "name a smaller folder",
    );
  const contents = await readBlobs(git, [...new Set(entries.map(({ id }) => id))], maximumBytes);
  return {
    top,
    files: entries.flatMap(({ path, id }) => {
      const content = contents.get(id);
      return content ? [{ path, content }] : [];
    }),
  };
}

function failed(command: string | undefined, { stderr }: GitOutput): GitError {
  return new GitError(
    "failed",
    `git ${command} has failed: ${causeOf(stderr).message}`,
    "check the repository and the reference",
  );
}
