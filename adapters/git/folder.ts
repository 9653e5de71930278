import { posix, relative, sep } from "node:path";
import { causeOf } from "../../core/program-cause.ts";
import { GitError } from "./errors.ts";
import { isObjectId } from "./revision.ts";
import { type Git, listTree, readBlobs, type TreeEntry } from "./objects.ts";
import { type GitOutput, runGit } from "./run-git.ts";

/** A file of a commit. */
export interface CommittedFile {
  /** From the top of the repository, with `/`. */
  path: string;
  content: Buffer;
}

/** A symbolic link of a commit. */
export interface CommittedLink {
  /** From the top of the repository, with `/`. */
  path: string;
  /** Where it leads, as the link has it. */
  target: string;
}

/** The files of a commit, as far as they lie in one of several places, and the top of their repository. */
export interface CommittedFiles {
  top: string;
  /** Also those that a link leads to, by the path through the link. */
  files: CommittedFile[];
  /** Those that lead to a file or folder among these. */
  links: CommittedLink[];
}

const regularFiles = new Set(["100644", "100755"]);
const symbolicLink = "120000";
/** How many links may follow on each other. */
const mostLinks = 40;
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
    const output = await runGit(args, { ...call, isFixed: true, ...more });
    if (output.code === 0) return output;
    throw failed(args[0], output);
  };
  const found = await runGit(
    ["rev-parse", "--show-toplevel", "--quiet", "--verify", "--end-of-options", `${reference}^{tree}`],
    { ...call, isFixed: isObjectId(reference) },
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
  if (wanted.length === 0) return { top, files: [], links: [] };
  const { listed, links } = await entriesAt(git, tree, wanted);
  const entries = listed.filter(({ mode, path }) => regularFiles.has(mode) && isWanted(path));
  const refuseMany = (count: number) => {
    if (count <= mostFiles) return;
    throw new GitError(
      "too_large",
      `${reference} has more than ${mostFiles} files there`,
      "name a smaller folder",
    );
  };
  refuseMany(entries.length);
  refuseMany(links.length);
  const contents = await readBlobs(git, [...new Set(entries.map(({ id }) => id))], maximumBytes);
  const files = entries.flatMap(({ path, id }) => {
    const content = contents.get(id);
    return content ? [{ path, content }] : [];
  });
  const ends = new Map(links.map((link) => [link.path, followed(link, links)]));
  const throughLinks: CommittedFile[] = [];
  for (const link of links) {
    const end = ends.get(link.path) ?? "";
    const through = files.flatMap(({ path, content }) =>
      path === end || (isWithin(path, end) && wanted.some((place) => isWithin(place, link.path)))
        ? [{ path: posix.join(link.path, path.slice(end.length)), content }]
        : [],
    );
    throughLinks.push(...through);
    // Links beside each other lead to the same files again and again.
    refuseMany(files.length + throughLinks.length);
  }
  const leading = links.filter((link) => files.some(({ path }) => isWithin(path, ends.get(link.path) ?? "")));
  return { top, files: [...files, ...throughLinks], links: leading };
}

/** What a commit has in some places, and in those that links there lead to. */
async function entriesAt(
  git: Git,
  tree: string,
  wanted: readonly string[],
): Promise<{ listed: TreeEntry[]; links: CommittedLink[] }> {
  const listed = new Map<string, TreeEntry>();
  const links = new Map<string, CommittedLink>();
  let places = [...new Set(wanted)];
  for (let round = 0; places.length > 0 && round < mostLinks; round += 1) {
    const below = await listTree(git, tree, places);
    const missing = places.filter((place) => !below.some(({ path }) => isWithin(path, place)));
    const above = missing.flatMap(foldersAbove);
    const found = [
      ...below,
      ...(above.length === 0 ? [] : await listTree(git, tree, above, { isDeep: false })),
    ];
    const added = found.filter(({ path, mode }) => mode === symbolicLink && !links.has(path));
    for (const entry of found) listed.set(entry.path, entry);
    const targets = await readBlobs(git, [...new Set(added.map(({ id }) => id))], maximumBytes);
    for (const { path, id } of added) links.set(path, { path, target: String(targets.get(id) ?? "") });
    const all = [...links.values()];
    places = added.flatMap(({ path }) => {
      const end = followed({ path, target: links.get(path)?.target ?? "" }, all);
      if (end.startsWith("..") || end.startsWith("/")) return [];
      const isAskedFor = wanted.some((place) => isWithin(path, place));
      const through = wanted.flatMap((place) =>
        isWithin(place, path) ? posix.join(end, place.slice(path.length)) : [],
      );
      return isAskedFor ? [end, ...through] : through;
    });
  }
  return { listed: [...listed.values()], links: [...links.values()] };
}

/** Where a link leads, from the top of the repository; with `..` or `/` at the beginning: out of it. */
function followed({ path, target }: CommittedLink, links: readonly CommittedLink[]): string {
  let end = path;
  let next: CommittedLink | undefined = { path, target };
  for (let count = 0; next && count < mostLinks; count += 1) {
    const { path: from, target: to }: CommittedLink = next;
    const folder = posix.isAbsolute(to) ? "" : posix.dirname(from);
    end = posix.join(folder, to, end.slice(from.length)).replace(/(?:^\.|\/)$/, "");
    next = links.find((each) => isWithin(end, each.path));
  }
  return end;
}

function foldersAbove(place: string): string[] {
  const folder = posix.dirname(place);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

function isWithin(path: string, place: string): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}

function failed(command: string | undefined, { stderr }: GitOutput): GitError {
  return new GitError(
    "failed",
    `git ${command} has failed: ${causeOf(stderr).message}`,
    "check the repository and the reference",
  );
}
