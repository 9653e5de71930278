import type { ProgramOutput } from "../../core/files/run-program.ts";
import { posix, relative, sep } from "node:path";
import { causeOf } from "../../core/files/program-cause.ts";
import { GitError } from "./errors.ts";
import { isObjectId } from "./revision.ts";
import { type Git, linesOf, listTree, readBlobs, type TreeEntry } from "./objects.ts";
import { type GitCall, runGit } from "./run-git.ts";

export interface CommittedFile {
  /** From the top of the repository, with `/`. */
  path: string;
  content: Buffer;
}

export interface CommittedLink {
  path: string;
  /** Its target, as written. */
  target: string;
}

/** The content of a commit in some places; files are read on demand. */
export interface CommittedTree {
  paths: readonly string[];
  links: ReadonlyMap<string, string>;
  /** @returns undefined for a file that is too large @throws GitError */
  read(path: string): Promise<Buffer | undefined>;
}

const regularFiles = new Set(["100644", "100755"]);
const symbolicLink = "120000";
const mostLinks = 40;
const mostThroughLinks = 10_000;
const maximumBytes = 1024 * 1024;

/**
 * Reads files of a commit of the repository around a folder, without a checkout.
 *
 * @param reference a branch, a tag or a commit, such as `origin/main`
 * @param places absolute paths of files or folders; missing ones are skipped
 * @throws GitError
 */
export async function readFolder(
  folder: string,
  reference: string,
  places: readonly string[],
  {
    env,
    signal,
    isDesired = () => true,
  }: {
    env: Readonly<Record<string, string | undefined>>;
    signal: AbortSignal;
    /** The wanted files, beside those that a place or a link names; default: all. */
    isDesired?: ((path: string) => boolean) | undefined;
  },
): Promise<{
  top: string;
  /** The wanted files, also those behind a link, by the path through the link. */
  files: CommittedFile[];
  /** The links to a file or folder among these. */
  links: CommittedLink[];
  /** All entries of the commit in the places, also unwanted ones, with a reader for the files. */
  all: CommittedTree;
}> {
  const call = callIn(folder, env, signal);
  const git: Git = async (args, more = {}) => {
    const output = await runGit(args, { ...call, isFixed: true, ...more });
    if (output.code === 0) return output;
    throw failed(args[0], output);
  };
  const { top, tree } = await treeAt(reference, call);
  const desired = pathsIn(top, places);
  const { listed, links, named } = await entriesAt(git, tree, desired);
  const regular = listed.filter(({ mode }) => regularFiles.has(mode));
  const entries = regular.filter(({ path }) => named.has(path) || isDesired(path));
  refuseMany(links.length, reference);
  const contents = await readBlobs(git, [...new Set(entries.map(({ id }) => id))], maximumBytes);
  const files = entries.map(({ path, id }) => {
    const content = contents.get(id);
    if (content) return { path, content };
    // A skipped file would look missing, and with it everything that it protects.
    throw new GitError(
      "too_large",
      `${path} of ${reference} is larger than ${maximumBytes / 1024 / 1024} MB`,
      "split it",
    );
  });
  const readPlaces = withFoldersAbove(files);
  const leading = links
    .map((link) => ({ link, end: followed(link, links) }))
    .filter(({ end }) => readPlaces.has(end));
  const throughLinks: CommittedFile[] = [];
  for (const { link, end } of leading) {
    const isFollowed = desired.some((place) => isWithin(place, link.path));
    const through = files.flatMap(({ path, content }) =>
      path === end || (isFollowed && isWithin(path, end))
        ? [{ path: posix.join(link.path, path.slice(end.length)), content }]
        : [],
    );
    throughLinks.push(...through);
    // Links beside each other lead to the same files again and again.
    refuseMany(throughLinks.length, reference);
  }
  const ids = new Map(regular.map(({ path, id }) => [path, id]));
  const all: CommittedTree = {
    paths: [...ids.keys()],
    links: new Map(links.map(({ path, target }) => [path, target])),
    read: async (path) => {
      const id = ids.get(path) ?? "";
      return (await readBlobs(git, [id], maximumBytes)).get(id);
    },
  };
  return { top, files: [...files, ...throughLinks], links: leading.map(({ link }) => link), all };
}

/** The entries of a commit in some places, and behind links there; `named`: all these places. */
async function entriesAt(
  git: Git,
  tree: string,
  desired: readonly string[],
): Promise<{ listed: TreeEntry[]; links: CommittedLink[]; named: ReadonlySet<string> }> {
  const listed = new Map<string, TreeEntry>();
  const links = new Map<string, CommittedLink>();
  const named = new Set<string>();
  let places = [...new Set(desired)];
  for (let round = 0; places.length > 0 && round < mostLinks; round += 1) {
    for (const place of places) named.add(place);
    const below = await listTree(git, tree, places);
    const there = withFoldersAbove(below);
    const missing = places.filter((place) => !there.has(place));
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
      const isRequestedFor = desired.some((place) => isWithin(path, place));
      const through = desired.flatMap((place) =>
        isWithin(place, path) ? posix.join(end, place.slice(path.length)) : [],
      );
      return isRequestedFor ? [end, ...through] : through;
    });
  }
  return { listed: [...listed.values()], links: [...links.values()], named };
}

/** The target of a link, from the top of the repository; with `..` or `/` at the beginning: outside. */
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

/** The paths of entries, and of all folders around them; the top is empty. */
function withFoldersAbove(entries: readonly { path: string }[]): Set<string> {
  const all = new Set(entries.length === 0 ? [] : [""]);
  for (const { path } of entries)
    for (let place = path; place !== "." && !all.has(place); place = posix.dirname(place)) all.add(place);
  return all;
}

/** The top of the repository around a folder, and the id of the tree of a reference. */
async function treeAt(reference: string, call: GitCall): Promise<{ top: string; tree: string }> {
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
  const [first, second] = await refsCalled(reference, call);
  if (first !== undefined && second !== undefined)
    throw new GitError(
      "no_branch",
      `${reference} is the name of ${first} and of ${second}`,
      `write which of them: ${first} or ${second}`,
    );
  return { top, tree };
}

/** The branches and tags of a name: `refs/heads/main`. */
async function refsCalled(name: string, call: GitCall): Promise<string[]> {
  if (isObjectId(name) || /[*?[\\]/.test(name)) return [];
  const places = ["heads", "tags", "remotes"].map((place) => `refs/${place}/${name}`);
  const { stdout } = await runGit(["for-each-ref", "--format=%(refname)", ...places], call);
  return linesOf(stdout).filter((ref) => places.includes(ref));
}

/** The branches and tags of a name in the repository around a folder; none outside a repository. @throws GitError */
export function refsAround(
  folder: string,
  name: string,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<string[]> {
  return refsCalled(name, callIn(folder, env, signal));
}

/** The user's configuration tells which repositories belong to others; nothing is fetched. */
function callIn(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): GitCall {
  return {
    folder,
    signal,
    env: {
      PATH: env["PATH"],
      HOME: env["HOME"],
      LC_ALL: "C",
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "",
      GIT_LITERAL_PATHSPECS: "1",
    },
  };
}

function pathsIn(top: string, places: readonly string[]): string[] {
  const paths = places.map((place) => relative(top, place).split(sep).join("/"));
  const outside = paths.find((path) => path.startsWith(".."));
  if (outside !== undefined)
    throw new GitError(
      "no_path",
      `${outside} is not in the repository ${top}`,
      "name folders of one repository",
    );
  return paths;
}

function refuseMany(count: number, reference: string): void {
  if (count <= mostThroughLinks) return;
  throw new GitError(
    "too_large",
    `links of ${reference} lead to more than ${mostThroughLinks} files there`,
    "name a smaller folder",
  );
}

function foldersAbove(place: string): string[] {
  const folder = posix.dirname(place);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

function isWithin(path: string, place: string): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}

function failed(command: string | undefined, { stderr }: ProgramOutput): GitError {
  return new GitError(
    "failed",
    `git ${command} has failed: ${causeOf(stderr).message}`,
    "check the repository and the reference",
  );
}
