import {
  type Desired,
  toDesired,
  type ManifestDocument,
  type LoadedFiles,
  loadManifests,
} from "../../core/manifest/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { Variables } from "../../core/source/variables.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import { readVariables } from "./variables.ts";

/** The contents of the manifests, and their problems. */
export interface Described {
  resources: Desired[];
  documents: ManifestDocument[];
  /** The fields that the command line sets: `job:shop/production/web:source.image.tag`. */
  set: string[];
  files: number;
  problems: Problem[];
  /** The sources before they were combined, and the values of variables. */
  loaded: LoadedFiles;
  variables: Variables;
}

/** Reads manifests and collects all their problems. Without sources it reads the working directory. */
export async function readManifests(
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<Described> {
  const named = sources.length === 0 ? ["."] : sources;
  const { variables, problems: ofVariables, unused } = await readVariables(flags, io);
  const loaded = await loadManifests(named, {
    ...(named.includes("-") && { standardInput: io.stdin }),
    signal: io.signal,
    settingsAreNamed: flags.config !== undefined,
    variables,
  });
  const {
    documents,
    set,
    problems: ofSet,
  } = flags.set
    ? (await import("./set-fields.ts")).setFields(loaded.documents, flags.set)
    : { documents: loaded.documents, set: [], problems: [] };
  const { resources, problems } = toDesired(documents);
  return {
    files: loaded.files,
    loaded,
    variables,
    documents,
    resources,
    set,
    problems: [...ofVariables, ...loaded.problems, ...problems, ...ofSet, ...unused()],
  };
}
