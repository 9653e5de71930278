import { type Fields, isFields, type Json, own, textIn } from "../../core/json.ts";
import { shorten } from "../../core/text.ts";
import { ForgeClient, type ForgeSettings } from "./client.ts";
import { ForgeError } from "./errors.ts";
import {
  type CommitStatus,
  type Forge,
  type ForgeComment,
  type NewPullRequest,
  newestOfEach,
  type PullRequest,
} from "./forge.ts";
import { type CiJob, type ForgeSystem, pushedOnto } from "./system.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

const longestDescription = 255;
const scope = "scope api, and the role Developer";

/** The states of GitLab by ours. */
const states: Record<CommitStatus["state"], string> = {
  pending: "pending",
  success: "success",
  failure: "failed",
};

const publicApi = "https://gitlab.com/api/v4";

/** GitLab, everywhere. */
export const gitlab: ForgeSystem = {
  title: "GitLab",
  pipelines: "GitLab CI",
  pullRequestWord: "merge request",
  publicServer: { host: "gitlab.com", apiUrl: publicApi },
  commitPath: "-/commit",
  wholeHistory: "GIT_DEPTH: 0",
  jobVariables: ["CI_", "GITLAB_"],
  hasApiAt: (path) => path.endsWith("/api/v4"),
  connect: (project, settings) => new GitlabProject(project, settings),
  async repositoriesOf(group, settings) {
    const found = await new ForgeClient("GitLab", settings).list(
      `/groups/${encodeURIComponent(group)}/projects`,
      { include_subgroups: true, archived: false, order_by: "id", sort: "asc" },
      { failure: `the projects of the group ${group} cannot be listed`, needs: "scope read_api" },
    );
    return found.map((each) => ({
      path: textIn(each, "path_with_namespace") ?? "",
      repository: textIn(each, "http_url_to_repo") ?? "",
    }));
  },
  jobIn: (environment) =>
    Promise.resolve(environment["GITLAB_CI"] === "true" ? jobOf(environment) : undefined),
};

function jobOf(environment: EnvironmentVariables): CiJob {
  const { CI_COMMIT_SHA: commit = "", CI_MERGE_REQUEST_IID: number } = environment;
  return {
    project: environment["CI_MERGE_REQUEST_PROJECT_ID"] ?? environment["CI_PROJECT_ID"] ?? "",
    apiUrl: environment["CI_API_V4_URL"] ?? publicApi,
    event: number
      ? {
          type: "pull request",
          number: Number(number),
          isFork:
            environment["CI_MERGE_REQUEST_SOURCE_PROJECT_ID"] !== environment["CI_MERGE_REQUEST_PROJECT_ID"],
          // In a pipeline for merged results, the commit is that of the merge.
          head: environment["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || commit,
          base: environment["CI_MERGE_REQUEST_DIFF_BASE_SHA"],
        }
      : {
          type: "branch",
          commit,
          branch: environment["CI_COMMIT_BRANCH"] ?? "",
          ...pushedOnto(environment["CI_COMMIT_BEFORE_SHA"]),
        },
    defaultBranch: environment["CI_DEFAULT_BRANCH"],
    url: environment["CI_JOB_URL"],
  };
}

/** A project on GitLab. */
class GitlabProject implements Forge {
  readonly title = "GitLab";
  readonly pullRequestWord = gitlab.pullRequestWord;
  readonly numberSign = "!";
  readonly longestDescription = longestDescription;
  readonly #client: ForgeClient;
  readonly #root: string;
  readonly #requests: string;
  #me: Promise<Json | undefined> | undefined;

  /** @param project its id, or its path `acme/infra` */
  constructor(project: string, settings: ForgeSettings) {
    this.#client = new ForgeClient("GitLab", settings);
    this.#root = `/projects/${encodeURIComponent(project)}`;
    this.#requests = `${this.#root}/merge_requests`;
  }

  async openPullRequests(branch: string, label?: string): Promise<PullRequest[]> {
    const found = await this.#client.list(
      this.#requests,
      { state: "opened", target_branch: branch, ...(label !== undefined && { labels: label }) },
      { failure: "the merge requests cannot be listed", needs: scope },
    );
    return found.map(mergeRequestOf);
  }

  async openPullRequest({ title, body, head, base }: NewPullRequest): Promise<PullRequest> {
    const request = { title, description: body, source_branch: head, target_branch: base };
    const opened = await this.#client.post(
      this.#requests,
      { ...request, remove_source_branch: true },
      { failure: `the merge request of ${head} cannot be opened`, needs: scope },
    );
    return mergeRequestOf(isFields(opened) ? opened : {});
  }

  async pullRequest(number: number): Promise<PullRequest | undefined> {
    const found = await this.#client.find(`${this.#requests}/${number}`, {
      failure: `the merge request !${number} cannot be read`,
      needs: scope,
    });
    return isFields(found) ? mergeRequestOf(found) : undefined;
  }

  async pullRequestsOf(commit: string): Promise<PullRequest[]> {
    const found = await this.#client.list(
      `${this.#root}/repository/commits/${encodeURIComponent(commit)}/merge_requests`,
      {},
      { failure: "the merge request of the commit cannot be found", needs: scope },
    );
    return found.map(mergeRequestOf);
  }

  async ownComments(number: number): Promise<ForgeComment[]> {
    const mine = await this.#isMine();
    const all = await this.#client.list(
      this.#notes(number),
      { sort: "asc", order_by: "created_at" },
      { failure: "the notes cannot be listed", needs: scope },
    );
    return all.filter(({ author, system }) => system !== true && mine(author)).map(noteOf);
  }

  async addComment(number: number, body: string): Promise<ForgeComment> {
    const call = { failure: "the note cannot be written", needs: scope };
    const added = await this.#client.post(this.#notes(number), { body }, call);
    return noteOf(isFields(added) ? added : {});
  }

  editComment(number: number, id: string, body: string): Promise<void> {
    return this.#client.change(
      "PUT",
      `${this.#notes(number)}/${encodeURIComponent(id)}`,
      { body },
      { failure: "the note cannot be changed", needs: scope },
    );
  }

  removeComment(number: number, id: string): Promise<void> {
    return this.#client.remove(`${this.#notes(number)}/${encodeURIComponent(id)}`, {
      failure: "the note cannot be removed",
      needs: scope,
    });
  }

  async ownStatuses(commit: string): Promise<CommitStatus[]> {
    const mine = await this.#isMine();
    return newestOfEach((await this.#statuses(commit)).filter(({ author }) => mine(author)).map(statusOf));
  }

  async statusesOfOthers(commit: string, name: string): Promise<(CommitStatus & { by: string })[]> {
    const mine = await this.#isMine();
    const others = (await this.#statuses(commit)).filter(({ author }) => !mine(author));
    return others.flatMap((each) =>
      statusOf(each).name === name ? [{ ...statusOf(each), by: userName(each["author"]) }] : [],
    );
  }

  async setStatus(commit: string, { name, state, description, url }: CommitStatus): Promise<void> {
    try {
      await this.#client.post(
        `${this.#root}/statuses/${encodeURIComponent(commit)}`,
        {
          state: states[state],
          name,
          description: shorten(description, longestDescription - 1),
          ...(url !== undefined && { target_url: url }),
        },
        { failure: "the commit status cannot be set", needs: scope, isRepeatable: true },
      );
    } catch (error) {
      // Some versions refuse a status that is there already.
      const isThere =
        error instanceof ForgeError && error.status === 400 && /cannot transition/i.test(error.message);
      if (!isThere) throw error;
    }
  }

  #notes(number: number): string {
    return `${this.#requests}/${number}/notes`;
  }

  async #isMine(): Promise<(user: Json | undefined) => boolean> {
    this.#me ??= this.#client
      .get("/user", { failure: "the user of the token cannot be read", needs: scope })
      .then((user) => (isFields(user) ? own(user, "id") : undefined));
    const id = await this.#me;
    return (user) => isFields(user) && id !== undefined && own(user, "id") === id;
  }

  /** All of them, also those that a later one of the same name hides, the newest first. */
  async #statuses(commit: string): Promise<Fields[]> {
    const all = await this.#client.list(
      `${this.#root}/repository/commits/${encodeURIComponent(commit)}/statuses`,
      { all: true },
      { failure: "the statuses of the commit cannot be read", needs: scope },
    );
    return all.toSorted((left, right) => Number(right["id"]) - Number(left["id"]));
  }
}

function mergeRequestOf(request: Fields): PullRequest {
  const state = textIn(request, "state");
  const labels = own(request, "labels");
  return {
    number: Number(own(request, "iid")),
    title: textIn(request, "title") ?? "",
    url: textIn(request, "web_url") ?? "",
    state: state === "opened" ? "open" : state === "merged" ? "merged" : "closed",
    isFork: own(request, "source_project_id") !== own(request, "target_project_id"),
    head: { commit: textIn(request, "sha") ?? "", branch: textIn(request, "source_branch") ?? "" },
    base: { branch: textIn(request, "target_branch") ?? "" },
    labels: (Array.isArray(labels) ? labels : []).filter((each) => typeof each === "string"),
    mergedAs: ["merge_commit_sha", "squash_commit_sha"].flatMap((member) => textIn(request, member) ?? []),
  };
}

function noteOf(note: Fields): ForgeComment {
  return { id: String(own(note, "id")), body: textIn(note, "body") ?? "" };
}

function statusOf(status: Fields): CommitStatus {
  const state = textIn(status, "status");
  return {
    name: textIn(status, "name") ?? "",
    state:
      state === "success" ? "success" : state === "pending" || state === "running" ? "pending" : "failure",
    description: textIn(status, "description") ?? "",
  };
}

function userName(user: Json | undefined): string {
  return isFields(user) ? (textIn(user, "username") ?? "") : "";
}
