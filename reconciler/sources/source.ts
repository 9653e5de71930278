import type { DeclaredValue } from "../../core/model/schema/field.ts";
import type { sourceSchema, sourceSetSchema } from "./source-schema.ts";

interface DeclaredIn {
  file: string;
}

/** The document of an operator about a repository. */
export interface Source
  extends Omit<DeclaredValue<typeof sourceSchema>, "kind" | "team" | "path">, DeclaredIn {
  team?: string | undefined;
  path?: string | undefined;
  /** The set that has made it; undefined: a document of its own declares it. */
  set?: string;
}

/** A source that no document declares any more. */
export interface StoppedSource extends Pick<Source, "name" | "team" | "repository" | "path"> {
  /** When its declaration ended, in milliseconds since 1970. */
  at: number;
  /** Its remaining live resources, by address; absent: unknown, because its records are damaged. */
  left?: readonly string[] | undefined;
}

/** Makes a source for each folder of a repository, or for each repository of a group of a Git host. */
export interface SourceSet extends Omit<DeclaredValue<typeof sourceSetSchema>, "kind">, DeclaredIn {}
