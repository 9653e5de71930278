import { refusal } from "../../core/problems/problem.ts";
import type { ForgeSettings } from "./client.ts";
import type { Forge } from "./forge.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

export type CiEvent =
  | {
      type: "pull request";
      number: number;
      isFork: boolean;
      /** The newest commit of its branch. */
      head: string;
      /** The commit of the base for the comparison, if the Git host names one. */
      base: string | undefined;
    }
  | {
      /** Pull requests that a queue merges together. */
      type: "merge group";
      /** The commit that the queue has made. */
      head: string;
      base: string | undefined;
      /** The branch that gets the changes. */
      branch: string;
    }
  | {
      type: "branch";
      commit: string;
      branch: string;
      /** The newest commit of the branch before the push, if the Git host names it. */
      pushedOnto?: string;
    };

export interface CiJob {
  /** The project of the job, as `ForgeSystem.connect` takes it. */
  project: string;
  apiUrl: string;
  event: CiEvent;
  /** Undefined: the Git host does not tell. */
  defaultBranch: string | undefined;
  /** The page of the job. */
  url: string | undefined;
}

/** A place with manifests: a repository of a group, or a folder of a repository. */
export interface ManifestPlace {
  /** `acme/infra/shop`, or `teams/shop`. */
  path: string;
  /** The URL of the repository for Git. */
  repository: string;
}

export interface ForgeSystem {
  title: string;
  /** The name of its jobs for people: `GitHub Actions`. */
  pipelines: string;
  pullRequestWord: string;
  publicServer: { host: string; apiUrl: string };
  /** The path of the page of a commit, within the page of its project: `commit`. */
  commitPath: string;
  /** The setting that makes a job check out the whole history: `fetch-depth: 0`. */
  wholeHistory: string;
  /** The prefixes of its jobs' variables, tokens among them: manifests read no secret from these. */
  jobVariables: readonly string[];
  /** Whether an API with this path, without a slash at its end, is of this sort. */
  hasApiAt(path: string): boolean;
  /** @param project as in the API of the Git host: `acme/infra` */
  connect(project: string, settings: ForgeSettings): Forge;
  /** The repositories of a group or an organization, with nested groups. @param group `acme/infra` */
  repositoriesOf(group: string, settings: ForgeSettings): Promise<ManifestPlace[]>;
  /** The job of this process; undefined: it is none of this Git host. @throws InvalidInputError for an unreadable job */
  jobIn(environment: EnvironmentVariables): Promise<CiJob | undefined>;
}

/** A variable that each job of a Git host has. @throws InvalidInputError: it is missing */
export function variableOf(environment: EnvironmentVariables, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw refusal("argument", `${name} is missing`, "the Git host sets it in each job; pass it on, unchanged");
}

/** The commit before a push; undefined for zeros, which mean none. */
export function pushedOnto(before: string | undefined): { pushedOnto?: string } {
  return before !== undefined && /^[0-9a-f]{40,64}$/.test(before) && /[^0]/.test(before)
    ? { pushedOnto: before }
    : {};
}
