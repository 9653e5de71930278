import { readdirSync } from "node:fs";
import path from "node:path";
import { distance } from "fastest-levenshtein";
import type { Problem } from "../problems/problem.ts";
import { escapeControl } from "../values/text.ts";
import { IgnoreRules, ignoreFileName } from "./ignore-files.ts";
import type { Mistake } from "./mistake.ts";
import { disk, type EntryKind, type Tree } from "./tree.ts";
import { codeOf } from "../values/error-code.ts";

/** A file to read: its name in messages, and its real path. */
export interface FoundFile {
  name: string;
  realPath: string;
}

/** The name of the settings file, which may be in the folder of the manifests. */
export const settingsFileName = "infrasync.config.yaml";

/** Whether a name is probably meant as that of the settings file: `.infrasync.yaml`, `infrasync.config.json`. */
export const isMisnamedSettings = (name: string): boolean =>
  name !== settingsFileName &&
  /^(?:\.?infrasync[._-]?config(?:\.(?:ya?ml|jsonc?|toml))?|\.infrasync(?:\.(?:ya?ml|jsonc?|toml)|rc))$/i.test(
    name,
  );

/** The problem of a settings file with a wrong name. @param file its path */
export function misnamedSettings(file: string): Problem {
  return misnamed(file, "its settings and its protect list", settingsFileName);
}

function misnamed(file: string, ignored: string, name: string): Problem {
  return {
    code: "setting",
    message: `${escapeControl(file)} has the wrong name, so ${ignored} would be ignored`,
    advice: `rename it to ${name}, and write it in YAML`,
  };
}

export const policyFileName = "infrasync.reconcile.yaml";

/** The problems of files whose names are probably meant as that of the policy: `.infrasync.reconcile.yaml`. */
export function misnamedPolicies(folder: string, names: readonly string[]): Problem[] {
  const meant = /^(?:\.infrasync[._-]?|infrasync\.?)reconciler?(?:\.(?:ya?ml|jsonc?|toml))?$/i;
  return names
    .filter((name) => name !== policyFileName && meant.test(name))
    .map((name) => misnamed(path.join(folder, name), "the policy of the reconciler in it", policyFileName));
}

/**
 * The manifest files of a path, by name, without settings, policy, `node_modules`, hidden and ignored files. Follows
 * links within the folder. A settings file in a subfolder is a problem: settings apply to a whole run.
 */
export function findFiles(
  source: string,
  {
    tree = disk,
    name = source,
    settingsAreNamed = false,
  }: {
    /** Default: on the disk. */
    tree?: Tree;
    /** The source in messages; default: as it is. */
    name?: string;
    /** Whether the user names the settings file: then those of subfolders are allowed. */
    settingsAreNamed?: boolean;
  } = {},
): { files: FoundFile[]; problems: Problem[] } {
  const files: FoundFile[] = [];
  const problems: Problem[] = [];
  if (source === "") problems.push(nameless);
  else
    attempt(name, problems, () => {
      const { realPath, kind } = tree.find(source);
      if (realPath === undefined) problems.push(leaves(name));
      else if (kind === "folder") {
        const root = { name, realPath };
        const above = foldersAbove(tree, realPath);
        const top = above.at(-1) ?? realPath;
        const shared = { tree, root, top, settingsAreNamed, visited: new Set<string>(), files, problems };
        const state = { ...shared, ignored: new IgnoreRules() };
        for (const folder of above) addIgnoreFile(state, { name: folder, realPath: folder });
        walk(root, state);
        if (files.length === 0 && problems.length === 0) problems.push(empty(name));
      } else if (![settingsFileName, policyFileName].includes(path.basename(source)))
        files.push({ name, realPath });
    });
  return { files, problems };
}

interface Walk {
  tree: Tree;
  root: FoundFile;
  settingsAreNamed: boolean;
  visited: Set<string>;
  files: FoundFile[];
  problems: Problem[];
  /** The ignore rules, and the highest folder that may have some. */
  ignored: IgnoreRules;
  top: string;
}

function foldersAbove(tree: Tree, folder: string): string[] {
  const above: string[] = [];
  let next = folder;
  while (tree.kindAt(path.join(next, settingsFileName)) === undefined) {
    if (path.dirname(next) === next) return [];
    next = path.dirname(next);
    above.push(next);
  }
  return above;
}

function addIgnoreFile(state: Walk, { name, realPath }: FoundFile): void {
  const shown = path.join(name, ignoreFileName);
  const file = path.join(realPath, ignoreFileName);
  attempt(shown, state.problems, () => {
    const kind = state.tree.kindAt(file);
    if (kind === "link") state.problems.push(linked(shown));
    else if (kind) state.ignored.add(pathIn(state, realPath), state.tree.readText(file));
  });
}

function walk(folder: FoundFile, state: Walk): void {
  // Links may lead to a folder twice, or in a circle.
  if (state.visited.has(folder.realPath)) return;
  state.visited.add(folder.realPath);
  const entries = state.tree.entries(folder.realPath);
  const isBelow = folder.realPath !== state.root.realPath;
  if (!isBelow) {
    const files = entries.filter(({ kind }) => kind !== "folder").map(({ name }) => name);
    state.problems.push(...misnamedPolicies(folder.name, files));
  }
  if (isBelow && !state.settingsAreNamed && entries.some(({ name }) => name === settingsFileName))
    state.problems.push(settingsBelow(folder.name, state.root.name));
  addIgnoreFile(state, folder);
  const manifests = entries.filter(({ name }) => !isLeftOut(name));
  for (const { name: entry, kind } of manifests.toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  )) {
    const name = path.join(folder.name, entry);
    attempt(name, state.problems, () =>
      take(kind, { name, realPath: path.join(folder.realPath, entry) }, state),
    );
  }
}

function pathIn({ top }: Walk, realPath: string): string {
  return path.relative(top, realPath).split(path.sep).join("/");
}

function take(kind: EntryKind, found: FoundFile, state: Walk): void {
  if (state.ignored.has(pathIn(state, found.realPath), { isFolder: kind === "folder" })) return;
  if (kind === "link") follow(found, state);
  else if (kind === "submodule") state.problems.push(submodule(found.name));
  else if (kind === "folder") walk(found, state);
  else if (kind === "file" && isManifest(found.name)) addFile(found, state);
}

function follow(link: FoundFile, state: Walk): void {
  const { realPath, kind } = state.tree.find(link.realPath);
  if (kind === "submodule") state.problems.push(submodule(link.name));
  else if (kind !== undefined && kind !== "folder" && !isManifest(link.name)) return;
  else if (realPath === undefined || !isInside(realPath, state.root.realPath))
    state.problems.push(leaves(link.name));
  else if (kind === "folder") walk({ name: link.name, realPath }, state);
  else addFile({ name: link.name, realPath }, state);
}

function addFile(found: FoundFile, state: Walk): void {
  if (state.visited.has(found.realPath)) return;
  state.visited.add(found.realPath);
  state.files.push(found);
}

/** Whether a file or folder of that name is skipped. */
export const isLeftOut = (name: string): boolean =>
  name.startsWith(".") || name === "node_modules" || name === settingsFileName || name === policyFileName;

export const isManifest = (name: string): boolean => /\.ya?ml$/i.test(name);

/** Whether a file or folder is a folder, or in it; both without links. */
export function isInside(inner: string, folder: string): boolean {
  const relative = path.relative(folder, inner);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

const nameless: Problem = {
  code: "argument",
  message: "the name of a file or folder to read is empty",
  advice: "name files or folders, or - for standard input; perhaps a variable of the shell is not set",
};

function empty(folder: string): Problem {
  return {
    code: "nothing_found",
    message: `${escapeControl(folder)} contains no manifests`,
    advice: "name a folder with files whose names end in .yaml or .yml",
    remedies: [{ begin: true }],
  };
}

const linked = (ignoreFile: string) =>
  notRead(ignoreFile, {
    message: "is a symbolic link, which is not followed",
    advice: "put the file itself there",
  });

const submodule = (name: string) =>
  notRead(name, {
    message: "is a submodule, and submodules are not read",
    advice: "put the files into the repository",
  });

/** The problem of a symbolic link that leads out of its folder. */
export const leaves = (link: string): Problem =>
  notRead(link, {
    message: "is a symbolic link that leaves the folder",
    advice: "put the file itself there, or name the target of the link",
  });

function notRead(name: string, { message, advice }: Mistake): Problem {
  return { code: "unreadable", message: `${escapeControl(name)} ${message}`, advice };
}

export function settingsBelow(folder: string, root: string): Problem {
  const file = (place: string) => escapeControl(path.join(place, settingsFileName));
  return {
    code: "setting",
    message: `${file(folder)} would apply to a part of ${escapeControl(root)} only, but settings apply to a whole run`,
    advice: `move it to ${file(root)}`,
    remedies: [{ setting: "settings_file" }],
  };
}

/** Turns a refusal of the file system into a problem. */
function attempt(name: string, problems: Problem[], action: () => void): void {
  try {
    action();
  } catch (error) {
    problems.push(unreadable(name, error));
  }
}

/** The problem of an unreadable path. Throws every error that does not come from the file system. */
export function unreadable(name: string, error: unknown): Problem {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const reason = reasons[code] ?? {
    message: `cannot be read: ${escapeControl((error as Error).message)}`,
    advice: "name another file or folder",
  };
  const isMissing = code === "ENOENT";
  const meant = isMissing ? perhapsMeant(name) : undefined;
  return {
    ...notRead(name, { ...reason, advice: meant ?? reason.advice }),
    ...(isMissing && meant === undefined && { unmatched: name }),
  };
}

/** The probable meaning of a missing path: another file beside it. */
function perhapsMeant(name: string): string | undefined {
  const [folder, last] = [path.dirname(name), path.basename(name)];
  const near = attemptToList(folder).find(
    (other) => other !== last && distance(other, last) <= Math.min(2, last.length / 3),
  );
  return near === undefined ? undefined : `did you mean ${escapeControl(path.join(folder, near))}?`;
}

/** Empty: it cannot be read. */
function attemptToList(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const reasons: Record<string, Mistake> = {
  ENOENT: { message: "does not exist", advice: "name files or folders that exist" },
  EISDIR: { message: "is a folder", advice: "name a file" },
  EACCES: { message: "is not readable by this user", advice: "change its permissions" },
  ELOOP: { message: "is a symbolic link that leads back to itself", advice: "put the file itself there" },
};
