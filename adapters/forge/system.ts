import type { ForgeSettings } from "./client.ts";
import type { Forge } from "./forge.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

/** The occasion of a job of a forge. */
export type CiEvent =
  | {
      type: "pull request";
      number: number;
      isFork: boolean;
      /** The newest commit of its branch. */
      head: string;
      /** The commit of the base that it is compared with, as far as the forge names it. */
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
      /** The newest commit of the branch before the push, as far as the forge names it. */
      pushedOnto?: string;
    };

export interface CiJob {
  /** The project that the job belongs to, as `ForgeSystem.connect` takes it. */
  project: string;
  apiUrl: string;
  event: CiEvent;
  /** Undefined if the forge does not tell. */
  defaultBranch: string | undefined;
  /** The page of the job. */
  url: string | undefined;
}

/** A place with manifests: a repository of a group, or a folder of a repository. */
export interface ManifestPlace {
  /** `acme/infra/shop`, or `teams/shop`. */
  path: string;
  /** The URL of the repository for git. */
  repository: string;
}

export interface ForgeSystem {
  /** Its name for people: `GitHub`. */
  title: string;
  /** The name of its jobs for people: `GitHub Actions`. */
  pipelines: string;
  pullRequestWord: string;
  /** The server that everybody can use. */
  publicServer: { host: string; apiUrl: string };
  /** Where the page of a commit is, within the page of its project: `commit`. */
  commitPath: string;
  /** The setting that makes a job check out the whole history: `fetch-depth: 0`. */
  wholeHistory: string;
  /** The beginnings of the names of its jobs' variables, tokens among them: manifests read no secret from these. */
  jobVariables: readonly string[];
  /** Whether an API with this path, without a slash at its end, is one of this sort. */
  hasApiAt(path: string): boolean;
  /** @param project as the forge names it in its API: `acme/infra` */
  connect(project: string, settings: ForgeSettings): Forge;
  /** The repositories of a group or an organization, with those of groups in it. @param group `acme/infra` */
  repositoriesOf(group: string, settings: ForgeSettings): Promise<ManifestPlace[]>;
  /** The job that this process runs in; undefined if it is not a job of this forge. @throws InvalidInputError where the job cannot be read */
  jobIn(environment: EnvironmentVariables): Promise<CiJob | undefined>;
}

/** The commit that a push names as the one before it; undefined for zeros, which stand for none. */
export function pushedOnto(before: string | undefined): { pushedOnto?: string } {
  return before !== undefined && /^[0-9a-f]{40,64}$/.test(before) && /[^0]/.test(before)
    ? { pushedOnto: before }
    : {};
}
