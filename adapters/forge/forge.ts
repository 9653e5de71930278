/** A pull request of any forge; GitLab calls it a merge request. */
export interface PullRequest {
  number: number;
  title: string;
  /** Its page. */
  url: string;
  state: "open" | "closed" | "merged";
  /** Whether its branch lies in another repository. */
  isFork: boolean;
  head: { commit: string; branch: string };
  base: { branch: string };
  labels: readonly string[];
  /** The commits that a merge has made on the base branch, as far as they are known. */
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

/** A comment of the user whose token is used. */
export interface ForgeComment {
  id: string;
  body: string;
  /** Its address in a browser, where the forge tells it. */
  url?: string | undefined;
}

/** A status of a commit, under a name. */
export interface CommitStatus {
  /** `infrasync/plan`: a status replaces the earlier one of the same name. */
  name: string;
  state: "pending" | "success" | "failure";
  /** One sentence; it is shortened to what the forge takes. */
  description: string;
  /** Where to read more. */
  url?: string | undefined;
}

/**
 * A repository on a forge, as far as it is used. Each method throws a ForgeError when it fails, and none sends the token
 * to another server.
 */
export interface Forge {
  /** Its name for people: `GitHub`. */
  readonly title: string;
  /** The word of the forge for a pull request: `merge request`. */
  readonly pullRequestWord: string;
  /** The sign before the number of a pull request: `#` or `!`. */
  readonly numberSign: string;
  /** How many characters the description of a status may have. */
  readonly longestDescription: number;
  /** The open pull requests into a branch, those with a label only where one is given. */
  openPullRequests(branch: string, label?: string): Promise<PullRequest[]>;
  /** Opens a pull request of a branch that was pushed. */
  openPullRequest(wanted: NewPullRequest): Promise<PullRequest>;
  /** Undefined if no pull request has this number. */
  pullRequest(number: number): Promise<PullRequest | undefined>;
  pullRequestsOf(commit: string): Promise<PullRequest[]>;
  /** The comments of the user whose token is used, the oldest first. What others write is left out, whatever it says. */
  ownComments(pullRequest: number): Promise<ForgeComment[]>;
  addComment(pullRequest: number, body: string): Promise<ForgeComment>;
  editComment(pullRequest: number, id: string, body: string): Promise<void>;
  removeComment(pullRequest: number, id: string): Promise<void>;
  /** The statuses that the user whose token is used has set, one of each name, the newest. */
  ownStatuses(commit: string): Promise<CommitStatus[]>;
  /** The statuses of a name that others have set, and who they are. */
  statusesOfOthers(commit: string, name: string): Promise<(CommitStatus & { by: string })[]>;
  setStatus(commit: string, status: CommitStatus): Promise<void>;
}

/** The first status of each name. */
export function newestOfEach(statuses: readonly CommitStatus[]): CommitStatus[] {
  const names = new Map<string, CommitStatus>();
  for (const status of statuses) if (!names.has(status.name)) names.set(status.name, status);
  return [...names.values()];
}
