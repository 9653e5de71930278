/** The document of an operator about a repository, with its member names. */
export interface Source {
  name: string;
  /** The declaring file, for messages. */
  file: string;
  /** The set that has made it; undefined: a document of its own declares it. */
  set?: string;
  team?: string | undefined;
  repository: string;
  branch?: string;
  revision?: string;
  path?: string | undefined;
  organization?: string;
  token?: string;
  token_file?: string;
  git_token_file?: string;
  webhook_secret_file?: string;
  notify_file?: string;
  require_signed?: string;
  interval?: string;
  previews?: boolean;
  commit_statuses?: boolean;
  forge_api?: string;
  forge_project?: string;
  /** Limits that the repository of a source can tighten, and not loosen. */
  policy?: {
    on_commit?: Mode;
    on_drift?: Mode;
    max_deletes?: string;
    max_deletes_per_day?: number;
    protect?: readonly string[];
  };
  projects?: readonly string[];
  kinds?: readonly string[];
  allow_env?: readonly string[];
}

/** A source that no document declares any more. */
export interface StoppedSource extends Pick<Source, "name" | "team" | "repository" | "path"> {
  /** When its declaration ended, in milliseconds since 1970. */
  at: number;
  /** Its remaining live resources, by address; absent: unknown, because its records are damaged. */
  left?: readonly string[] | undefined;
}

type Mode = "off" | "report" | "apply";

/** Makes a source for each folder of a repository, or for each repository of a group of a Git host. */
export interface SourceSet {
  name: string;
  file: string;
  /** The generators of sources; a document declares one of them. */
  folders?: { repository: string; branch?: string; match: string };
  group?: { forge_api: string; name: string; match?: string };
  /** Members of each source, with placeholders. */
  source?: Readonly<Record<string, unknown>>;
}
