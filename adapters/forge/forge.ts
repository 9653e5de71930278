/** A pull request of any Git host; GitLab calls it a merge request. */
export interface PullRequest {
  number: number;
  title: string;
  /** Its page. */
  url: string;
  state: "open" | "closed" | "merged";
  /** Whether its branch is in another repository. */
  isFork: boolean;
  /** `commit`: empty only for a closed request that the Git host has never prepared. */
  head: { commit: string; branch: string };
  base: { branch: string };
  labels: readonly string[];
  /** The known commits that a merge has made on the base branch. */
  mergedAs: readonly string[];
}

export interface NewPullRequest {
  title: string;
  body: string;
  /** The branch with the changes. */
  head: string;
  /** The branch that gets the changes. */
  base: string;
}

/** A comment of the token's user. */
export interface ForgeComment {
  id: string;
  body: string;
  /** Its address in a browser, if the Git host tells it. */
  url?: string | undefined;
}

export interface CommitStatus {
  /** `infrasync/plan`: a status replaces the earlier one of the same name. */
  name: string;
  state: "pending" | "success" | "failure";
  /** One sentence; it is shortened to the limit of the Git host. */
  description: string;
  url?: string | undefined;
}

/** A repository on a Git host. Each method throws a ForgeError on failure; none sends the token to another server. */
export interface Forge {
  /** Its name for people: `GitHub`. */
  readonly title: string;
  /** The Git host's word for a pull request: `merge request`. */
  readonly pullRequestWord: string;
  /** The sign before the number of a pull request: `#` or `!`. */
  readonly numberSign: string;
  /** The most characters of the description of a status. */
  readonly longestDescription: number;
  /** The open pull requests into a branch. @param label only those with this label */
  openPullRequests(branch: string, label?: string): Promise<PullRequest[]>;
  /** Opens a pull request of a branch that was pushed. */
  openPullRequest(desired: NewPullRequest): Promise<PullRequest>;
  /** Undefined: no pull request has this number. */
  pullRequest(number: number): Promise<PullRequest | undefined>;
  pullRequestsOf(commit: string): Promise<PullRequest[]>;
  /** The comments of the token's user, the oldest first. Comments of others are ignored. */
  ownComments(pullRequest: number): Promise<ForgeComment[]>;
  addComment(pullRequest: number, body: string): Promise<ForgeComment>;
  editComment(pullRequest: number, id: string, body: string): Promise<void>;
  removeComment(pullRequest: number, id: string): Promise<void>;
  /** The newest status of each name by the token's user. */
  ownStatuses(commit: string): Promise<CommitStatus[]>;
  /** The statuses of a name that others have set, with their names. */
  statusesOfOthers(commit: string, name: string): Promise<(CommitStatus & { by: string })[]>;
  setStatus(commit: string, status: CommitStatus): Promise<void>;
}

export function newestOfEach(statuses: readonly CommitStatus[]): CommitStatus[] {
  const names = new Map<string, CommitStatus>();
  for (const status of statuses) if (!names.has(status.name)) names.set(status.name, status);
  return [...names.values()];
}
