import { maxSatisfying, valid, validRange } from "semver";

/** A revision that is followed instead of the newest commit of a branch. */
export type Revision =
  /** One commit of the branch. */
  | { type: "commit"; id: string }
  /** One tag, or the highest version among the tags. */
  | { type: "tag"; name: string };

/** Whether a text is the whole id of a commit, which never changes its meaning. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

export function short(commit: string): string {
  return commit.slice(0, 7);
}

/** Reads `v1.2.3`, `v1.*`, `^2.1` or the whole id of a commit; undefined for any other text. */
export function readRevision(given: string): Revision | undefined {
  if (given.trim() === "") return undefined;
  if (isObjectId(given)) return { type: "commit", id: given };
  const isName = /^(?![-./])[\w.+/-]+$/.test(given) && !/\.\.|\/\/|\.lock$|[./]$/.test(given);
  return isName || rangeOf(given) !== null ? { type: "tag", name: given } : undefined;
}

/**
 * The tag of a revision in the list of `git ls-remote`: the one of that name, or the highest version of the range; a
 * version may begin with a `v`. Undefined: there is none.
 */
export function chooseTag(listed: string, desired: string): { name: string; commit: string } | undefined {
  const tags = new Map<string, string>();
  for (const line of listed.split("\n")) {
    const [id = "", ref = ""] = line.split("\t");
    const [, name, peeled] = /^refs\/tags\/(.+?)(\^\{\})?$/.exec(ref) ?? [];
    // The target of an annotated tag comes after the tag itself.
    if (name !== undefined && isObjectId(id) && (peeled !== undefined || !tags.has(name))) tags.set(name, id);
  }
  const range = rangeOf(desired);
  const versions = [...tags.keys()].filter((name) => valid(name) !== null);
  const name = tags.has(desired) ? desired : range === null ? undefined : maxSatisfying(versions, range);
  const commit = name === undefined || name === null ? undefined : tags.get(name);
  return name && commit !== undefined ? { name, commit } : undefined;
}

/** `v1.*` is the range of the versions 1.*. */
function rangeOf(given: string): string | null {
  return validRange(given.replaceAll(/(^|[\s<>=~^|])v(?=\d)/g, "$1"));
}
