import Type from "typebox";
import { form, optional, orNull } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { shorten } from "../../core/values/text.ts";
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
import { type CiJob, type ForgeSystem, pushedOnto, variableOf } from "./system.ts";
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

const userForm = form({ id: Type.Integer(), username: Type.String() });
const projectForm = form({ path_with_namespace: Type.String(), http_url_to_repo: Type.String() });
const requestForm = form({
  iid: Type.Integer(),
  title: Type.String(),
  web_url: Type.String(),
  state: Type.String(),
  // Null where the project of the branch was deleted.
  source_project_id: orNull(Type.Integer()),
  target_project_id: Type.Integer(),
  sha: orNull(Type.String()),
  source_branch: Type.String(),
  target_branch: Type.String(),
  labels: Type.Array(Type.String()),
  merge_commit_sha: optional(orNull(Type.String())),
  squash_commit_sha: optional(orNull(Type.String())),
});
const noteForm = form({
  id: Type.Integer(),
  body: Type.String(),
  system: optional(Type.Boolean()),
  author: userForm,
});
const statusForm = form({
  id: Type.Integer(),
  name: Type.String(),
  status: Type.String(),
  description: orNull(Type.String()),
  author: userForm,
});

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
      projectForm,
      { failure: `the projects of the group ${group} cannot be listed`, needs: "scope read_api" },
    );
    return found.map(({ path_with_namespace: path, http_url_to_repo: repository }) => ({ path, repository }));
  },
  jobIn: (environment) =>
    Promise.resolve(environment["GITLAB_CI"] === "true" ? jobOf(environment) : undefined),
};

function jobOf(environment: EnvironmentVariables): CiJob {
  const { CI_MERGE_REQUEST_IID: number } = environment;
  const commit = variableOf(environment, "CI_COMMIT_SHA");
  return {
    project: environment["CI_MERGE_REQUEST_PROJECT_ID"] ?? variableOf(environment, "CI_PROJECT_ID"),
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

class GitlabProject implements Forge {
  readonly title = "GitLab";
  readonly pullRequestWord = gitlab.pullRequestWord;
  readonly numberSign = "!";
  readonly longestDescription = longestDescription;
  readonly #client: ForgeClient;
  readonly #root: string;
  readonly #requests: string;
  #me: Promise<number> | undefined;

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
      requestForm,
      { failure: "the merge requests cannot be listed", needs: scope },
    );
    return found.map(mergeRequestOf);
  }

  async openPullRequest({ title, body, head, base }: NewPullRequest): Promise<PullRequest> {
    const request = { title, description: body, source_branch: head, target_branch: base };
    const opened = await this.#client.post(
      this.#requests,
      { ...request, remove_source_branch: true },
      requestForm,
      { failure: `the merge request of ${head} cannot be opened`, needs: scope },
    );
    return mergeRequestOf(opened);
  }

  async pullRequest(number: number): Promise<PullRequest | undefined> {
    const found = await this.#client.find(`${this.#requests}/${number}`, requestForm, {
      failure: `the merge request !${number} cannot be read`,
      needs: scope,
    });
    return found && mergeRequestOf(found);
  }

  async pullRequestsOf(commit: string): Promise<PullRequest[]> {
    const found = await this.#client.list(
      `${this.#root}/repository/commits/${encodeURIComponent(commit)}/merge_requests`,
      {},
      requestForm,
      { failure: "the merge request of the commit cannot be found", needs: scope },
    );
    return found.map(mergeRequestOf);
  }

  async ownComments(number: number): Promise<ForgeComment[]> {
    const mine = await this.#isMine();
    const all = await this.#client.list(
      this.#notes(number),
      { sort: "asc", order_by: "created_at" },
      noteForm,
      { failure: "the notes cannot be listed", needs: scope },
    );
    return all.filter(({ author, system }) => system !== true && mine(author)).map(noteOf);
  }

  async addComment(number: number, body: string): Promise<ForgeComment> {
    const call = { failure: "the note cannot be written", needs: scope };
    return noteOf(await this.#client.post(this.#notes(number), { body }, noteForm, call));
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
      each.name === name ? [{ ...statusOf(each), by: each.author.username }] : [],
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
        Type.Unknown(),
        { failure: "the commit status cannot be set", needs: scope, isRepeatable: true },
      );
    } catch (error) {
      // Some versions refuse a status that exists already.
      const isThere =
        error instanceof ForgeError && error.status === 400 && /cannot transition/i.test(error.message);
      if (!isThere) throw error;
    }
  }

  #notes(number: number): string {
    return `${this.#requests}/${number}/notes`;
  }

  async #isMine(): Promise<(user: StoredForm<typeof userForm>) => boolean> {
    const call = { failure: "the user of the token cannot be read", needs: scope };
    this.#me ??= this.#client.get("/user", userForm, call).then(({ id }) => id);
    const me = await this.#me;
    return ({ id }) => id === me;
  }

  /** All of them, also those that a later one of the same name hides, the newest first. */
  async #statuses(commit: string): Promise<StoredForm<typeof statusForm>[]> {
    const all = await this.#client.list(
      `${this.#root}/repository/commits/${encodeURIComponent(commit)}/statuses`,
      { all: true },
      statusForm,
      { failure: "the statuses of the commit cannot be read", needs: scope },
    );
    return all.toSorted((left, right) => right.id - left.id);
  }
}

function mergeRequestOf(request: StoredForm<typeof requestForm>): PullRequest {
  const { state, labels, merge_commit_sha: merge, squash_commit_sha: squash } = request;
  if (request.sha === null && state !== "closed")
    throw new ForgeError(
      "unexpected",
      `GitLab does not name the commit of the merge request !${request.iid}`,
      "try again in a minute, because GitLab may not have prepared the merge request yet",
    );
  return {
    number: request.iid,
    title: request.title,
    url: request.web_url,
    state: state === "opened" ? "open" : state === "merged" ? "merged" : "closed",
    isFork: request.source_project_id !== request.target_project_id,
    head: { commit: request.sha ?? "", branch: request.source_branch },
    base: { branch: request.target_branch },
    labels,
    mergedAs: [merge, squash].filter((sha) => typeof sha === "string"),
  };
}

function noteOf({ id, body }: StoredForm<typeof noteForm>): ForgeComment {
  return { id: String(id), body };
}

function statusOf({ name, status, description }: StoredForm<typeof statusForm>): CommitStatus {
  return {
    name,
    state:
      status === "success" ? "success" : status === "pending" || status === "running" ? "pending" : "failure",
    description: description ?? "",
  };
}
