/** The document of an operator about a repository, with the names of its members. */
export interface Source {
  name: string;
  /** The file that states it, as people name it. */
  file: string;
  /** The set that has made it; undefined if a document of its own states it. */
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
  /** Bounds that the repository of a source can tighten, and not widen. */
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

/** A source that no document states any more. */
export interface StoppedSource extends Pick<Source, "name" | "team" | "repository" | "path"> {
  /** When it was stated no longer, in milliseconds since 1970. */
  at: number;
  /** The resources that it has left live, by their addresses; absent: its memory is damaged, so nobody knows. */
  left?: readonly string[] | undefined;
}

type Mode = "off" | "report" | "apply";

/** Makes a source for each folder of a repository, or for each repository of a group of a forge. */
export interface SourceSet {
  name: string;
  file: string;
  /** The generators of sources; a document states one of them. */
  folders?: { repository: string; branch?: string; match: string };
  group?: { forge_api: string; name: string; match?: string };
  /** Members of each source, with placeholders. */
  source?: Readonly<Record<string, unknown>>;
}
