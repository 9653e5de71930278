import type { ManifestPlace } from "../../adapters/forge/index.ts";
import { posix } from "node:path";
import { type Fields, own } from "../../core/values/json.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { fitsName } from "../../core/values/glob.ts";
import { escapeControl } from "../../core/values/text.ts";
import { withPlaceholders } from "../policy/index.ts";
import { mistakesOf } from "./read-sources.ts";
import type { Source, SourceSet } from "./source.ts";

/** Makes the sources of a set, without wrong ones, whose mistakes are problems. */
export function expand(
  set: SourceSet,
  places: readonly ManifestPlace[],
): { sources: Source[]; problems: Problem[] } {
  const sources: Source[] = [];
  const problems: Problem[] = [];
  for (const place of places) {
    const words = { name: posix.basename(place.path), path: place.path, set: set.name };
    const { name = "{set}-{name}", ...more } = set.source ?? {};
    const value = withPlaceholders(
      {
        kind: "Source",
        name: String(name),
        ...(set.folders && {
          path: "{path}",
          ...(set.folders.branch !== undefined && { branch: set.folders.branch }),
        }),
        ...(set.group && { git_host_api: set.group.git_host_api }),
        ...(more as Fields),
      },
      words,
    );
    const source = { repository: place.repository, ...(value as Fields) };
    // A name may have the case of the folder or the repository.
    const mistakes = mistakesOf({ ...source, name: String(own(source, "name")).toLowerCase() });
    problems.push(
      ...mistakes.map(({ message, advice }): Problem => ({
        code: "invalid",
        message: `the set ${set.name} makes no source for ${escapeControl(place.path)}: ${message}`,
        advice,
      })),
    );
    if (mistakes.length === 0)
      sources.push({ ...(source as unknown as Source), file: set.file, set: set.name });
  }
  return { sources, problems };
}

/** The folders of some files that match a pattern: `teams/*`. */
export function foldersAmong(paths: readonly string[], match: string): string[] {
  const expression = globOf(match);
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = posix.dirname(path); folder !== "." && folder !== "/"; folder = posix.dirname(folder))
      folders.add(folder);
  return [...folders].filter((folder) => expression.test(folder)).toSorted();
}

/** `*` stands for any part of a name. */
export function globOf(match: string): { test(path: string): boolean } {
  const parts = match.replace(/^\.?\/+|\/+$/g, "").split("/");
  return {
    test(path) {
      const names = path.split("/");
      return (
        names.length === parts.length && parts.every((part, index) => fitsName(part, names[index] ?? ""))
      );
    },
  };
}
