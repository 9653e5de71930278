import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { posix } from "node:path";

export type EntryKind = "file" | "folder" | "link" | "submodule" | "other";

/** Folders and files with symbolic links: those of the disk, or those of a commit. One walk reads both. */
export interface Tree {
  /** The entry at a path behind all links; no `realPath`: it leaves the tree. @throws an error of the file system */
  find(path: string): { realPath: string | undefined; kind: EntryKind | undefined };
  /** Undefined: the folder has no such entry. */
  kindAt(path: string): EntryKind | undefined;
  /** @param folder without links */
  entries(folder: string): { name: string; kind: EntryKind }[];
  readText(file: string): string;
}

export const disk: Tree = {
  find(path) {
    const kind = kindOf(statSync(path));
    // A pipe (`<(…)` in a shell) has no path of its own. Only the native call reads `link/..` in a link as the system
    // does.
    return { realPath: kind === "other" ? path : realpathSync.native(path), kind };
  },
  kindAt(path) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found && kindOf(found);
  },
  entries: (folder) =>
    readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  readText: (file) => readFileSync(file, "utf8"),
};

function kindOf(found: Dirent | Stats): EntryKind {
  if (found.isSymbolicLink()) return "link";
  return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
}

/** The content of a tree that is not on the disk, by path from its top, with `/`. */
export interface TreeContent {
  paths: readonly string[];
  /** The targets of links, as written. */
  links?: ReadonlyMap<string, string>;
  submodules?: readonly string[];
  /** Links that leave the tree and lead to a file of the same repository. */
  filesOutside?: ReadonlySet<string>;
  texts?: ReadonlyMap<string, string>;
}

/** The most links in a row, as on Linux. */
const mostLinks = 40;

/** A tree of given paths. Its top is `/`. */
export function treeOf(content: TreeContent): Tree {
  const { paths, links = new Map<string, string>(), submodules = [] } = content;
  const folders = new Map<string, Map<string, EntryKind>>([["/", new Map()]]);
  const add = (path: string, kind: EntryKind): void => {
    const folder = posix.dirname(path);
    if (!folders.has(folder)) {
      folders.set(folder, new Map());
      add(folder, "folder");
    }
    folders.get(folder)?.set(posix.basename(path), kind);
  };
  for (const path of paths) add(`/${path}`, "file");
  for (const path of links.keys()) add(`/${path}`, "link");
  for (const path of submodules) add(`/${path}`, "submodule");

  const find: Tree["find"] = (path) => {
    const names = path.split("/").toReversed();
    let at = "/";
    let kind: EntryKind = "folder";
    let followed = 0;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === "" || name === ".") continue;
      if (kind !== "folder") throw failure(kind === "submodule" ? "ENOENT" : "ENOTDIR");
      if (name === "..") {
        if (at === "/") return outside(path);
        at = posix.dirname(at);
        continue;
      }
      const next = folders.get(at)?.get(name);
      if (next === undefined) throw failure("ENOENT");
      const there = posix.join(at, name);
      if (next !== "link") {
        at = there;
        kind = next;
        continue;
      }
      followed += 1;
      if (followed > mostLinks) throw failure("ELOOP");
      const target = links.get(there.slice(1)) ?? "";
      if (target.startsWith("/")) return outside(path);
      names.push(...target.split("/").toReversed());
    }
    return { realPath: at, kind };
  };
  const outside = (path: string): ReturnType<Tree["find"]> => ({
    realPath: undefined,
    kind: content.filesOutside?.has(path.slice(1)) ? "file" : undefined,
  });
  return {
    find,
    kindAt: (path) => folders.get(posix.dirname(path))?.get(posix.basename(path)),
    entries: (folder) => [...(folders.get(folder) ?? [])].map(([name, kind]) => ({ name, kind })),
    readText(file) {
      const text = content.texts?.get(file.slice(1));
      if (text === undefined) throw failure("EISDIR");
      return text;
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
