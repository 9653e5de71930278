import { join, resolve } from "node:path";
import type { Problem } from "../../../core/problems/problem.ts";
import { readPlace, type RepositoryFlags } from "../../repository/repository.ts";
import type { Io } from "../../terminal/io.ts";
import type { SourcesPlace } from "./sources-folder.ts";

export interface SourcesFlags {
  sources?: string;
  source?: string;
  database?: string;
}

/** The folder of the documents of sources, and that of the files that they name. */
export interface DeclaredSourcesPlace {
  /** Undefined: unknown, which is one of the problems. */
  place: SourcesPlace | undefined;
  files: string | undefined;
}

/** Reads the place of the documents of sources; undefined: the service has one source. Adds mistakes to `problems`. */
export function readSourcesPlace(
  flags: SourcesFlags & RepositoryFlags & { once?: boolean },
  { env }: Pick<Io, "env">,
  problems: Problem[],
): DeclaredSourcesPlace | undefined {
  const given = flags.sources ?? (env["INFRASYNC_SOURCES"] || undefined);
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  if (given === undefined && flags.database !== undefined)
    refuse("--database is for a service with many sources", "name them with --sources");
  if (given === undefined) return undefined;
  if (flags.repo !== undefined)
    refuse("--sources and --repo exclude each other", "declare the repository in a document of kind Source");
  if (flags.once)
    refuse("--sources needs the service, which --once and --dry-run do not start", "leave them out");
  const files = env["INFRASYNC_SOURCE_FILES"] || undefined;
  const isUrl = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i.test(given);
  const repository = isUrl ? readPlace({ ...flags, repo: given }, { env }, problems) : undefined;
  return {
    place: isUrl ? repository && { repository } : { folder: resolve(given) },
    files: files === undefined ? undefined : resolve(files),
  };
}

export function dataOf(data: string, name: string): string {
  return join(data, "sources", name);
}
