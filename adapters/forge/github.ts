import Type from "typebox";
import { form, optional, orNull } from "../../core/outputs/forms/forms.ts";
import { refusal } from "../../core/problems/problem.ts";
import { readIfThere } from "../../core/files/files.ts";
import { readJson, type StoredForm } from "../../core/files/stored-form.ts";
import { shorten } from "../../core/values/text.ts";
import { ownership, type User, userForm } from "./github-user.ts";
import { ForgeClient, type ForgeSettings } from "./client.ts";
import {
  type CommitStatus,
  type Forge,
  type ForgeComment,
  type NewPullRequest,
  newestOfEach,
  type PullRequest,
} from "./forge.ts";
import { type ForgeSystem, pushedOnto, variableOf } from "./system.ts";

const longestDescription = 140;

const publicApi = "https://api.github.com";

/** Null where the repository of a branch was deleted. */
const fork = orNull(form({ full_name: Type.String() }));
const pullForm = form({
  number: Type.Integer(),
  title: Type.String(),
  html_url: Type.String(),
  state: Type.String(),
  merged_at: optional(orNull(Type.String())),
  merge_commit_sha: optional(orNull(Type.String())),
  head: form({ sha: Type.String(), ref: Type.String(), repo: fork }),
  base: form({ sha: Type.String(), ref: Type.String() }),
  labels: Type.Array(form({ name: Type.String() })),
});
const commentForm = form({
  id: Type.Integer(),
  body: Type.String(),
  html_url: optional(Type.String()),
  user: orNull(userForm),
});
const statusForm = form({
  context: Type.String(),
  state: Type.String(),
  description: orNull(Type.String()),
  creator: orNull(userForm),
});
const repositoryForm = form({
  full_name: Type.String(),
  clone_url: Type.String(),
  archived: optional(Type.Boolean()),
});
/** The members of a workflow's event that tell the compared commits. */
const eventForm = form({
  pull_request: optional(
    form({
      number: Type.Integer(),
      head: form({ sha: Type.String(), repo: fork }),
      base: form({ sha: Type.String() }),
    }),
  ),
  merge_group: optional(form({ head_sha: Type.String(), base_sha: Type.String(), base_ref: Type.String() })),
  before: optional(orNull(Type.String())),
  repository: optional(form({ default_branch: Type.String() })),
});

export const github: ForgeSystem = {
  title: "GitHub",
  pipelines: "GitHub Actions",
  pullRequestWord: "pull request",
  publicServer: { host: "github.com", apiUrl: publicApi },
  commitPath: "commit",
  wholeHistory: "fetch-depth: 0",
  jobVariables: ["INPUT_", "GITHUB_", "ACTIONS_", "RUNNER_"],
  hasApiAt: (path) => path === "" || path.endsWith("/api/v3"),
  connect: (repository, settings) => new GithubRepository(repository, settings),
  async repositoriesOf(group, settings) {
    const found = await new ForgeClient("GitHub", settings).list(
      `/orgs/${encodeURIComponent(group)}/repos`,
      { type: "all", sort: "full_name" },
      repositoryForm,
      { failure: `the repositories of ${group} cannot be listed`, needs: "metadata: read" },
    );
    return found
      .filter(({ archived }) => archived !== true)
      .map(({ full_name: path, clone_url: repository }) => ({ path, repository }));
  },
  async jobIn(environment) {
    if (environment["GITHUB_ACTIONS"] !== "true") return undefined;
    const { GITHUB_API_URL: apiUrl = publicApi } = environment;
    const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = environment;
    const repository = variableOf(environment, "GITHUB_REPOSITORY");
    const event = await readEvent(environment["GITHUB_EVENT_PATH"]);
    const { pull_request: pull, merge_group: group } = event;
    return {
      project: repository,
      apiUrl,
      event: pull
        ? {
            type: "pull request",
            number: pull.number,
            isFork: isFork(pull, repository),
            head: pull.head.sha,
            base: pull.base.sha,
          }
        : group
          ? {
              type: "merge group",
              head: group.head_sha,
              base: group.base_sha,
              branch: branchOf(group.base_ref),
            }
          : {
              type: "branch",
              commit: variableOf(environment, "GITHUB_SHA"),
              branch: branchOf(environment["GITHUB_REF"]),
              ...pushedOnto(event.before ?? undefined),
            },
      defaultBranch: event.repository?.default_branch,
      url: server && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    };
  },
};

/** Empty for a push to a tag. */
function branchOf(reference = ""): string {
  const heads = "refs/heads/";
  return reference.startsWith(heads) ? reference.slice(heads.length) : "";
}

async function readEvent(file = ""): Promise<StoredForm<typeof eventForm>> {
  const text = await readIfThere(file).catch(() => undefined);
  const { content, damage } =
    text === undefined ? { damage: "the file is missing or unreadable" } : readJson(eventForm, text);
  if (content !== undefined) return content;
  throw refusal(
    "argument",
    `the event of the workflow cannot be read: ${damage}`,
    "GITHUB_EVENT_PATH names its file; do not change it",
  );
}

class GithubRepository implements Forge {
  readonly title = "GitHub";
  readonly pullRequestWord = github.pullRequestWord;
  readonly numberSign = "#";
  readonly longestDescription = longestDescription;
  readonly #client: ForgeClient;
  readonly #settings: ForgeSettings;
  readonly #repository: string;
  readonly #root: string;
  #isOwn: Promise<(user: User) => boolean> | undefined;

  /** @param repository `acme/infra` */
  constructor(repository: string, settings: ForgeSettings) {
    this.#client = new ForgeClient("GitHub", settings);
    this.#settings = settings;
    this.#repository = repository;
    this.#root = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  }

  async openPullRequests(branch: string, label?: string): Promise<PullRequest[]> {
    const pulls = await this.#client.list(`${this.#root}/pulls`, { state: "open", base: branch }, pullForm, {
      failure: "the pull requests cannot be listed",
      needs: "pull-requests: read",
    });
    return pulls
      .map((pull) => this.#read(pull))
      .filter(({ labels }) => label === undefined || labels.includes(label));
  }

  async openPullRequest({ title, body, head, base }: NewPullRequest): Promise<PullRequest> {
    const call = { failure: `the pull request of ${head} cannot be opened`, needs: "pull-requests: write" };
    const desired = { title, body, head, base };
    return this.#read(await this.#client.post(`${this.#root}/pulls`, desired, pullForm, call));
  }

  async pullRequest(number: number): Promise<PullRequest | undefined> {
    const pull = await this.#client.find(`${this.#root}/pulls/${number}`, pullForm, {
      failure: `the pull request #${number} cannot be read`,
      needs: "pull-requests: read",
    });
    return pull && this.#read(pull);
  }

  async pullRequestsOf(commit: string): Promise<PullRequest[]> {
    const pulls = await this.#client.list(
      `${this.#root}/commits/${encodeURIComponent(commit)}/pulls`,
      {},
      pullForm,
      { failure: "the pull request of the commit cannot be found", needs: "pull-requests: read" },
    );
    return pulls.map((pull) => this.#read(pull));
  }

  async ownComments(number: number): Promise<ForgeComment[]> {
    const isMine = await this.#ownership();
    const all = await this.#client.list(this.#comments(number), {}, commentForm, {
      failure: "the comments cannot be listed",
      needs: "pull-requests: write",
    });
    return all.filter(({ user }) => isMine(user)).map(commentOf);
  }

  async addComment(number: number, body: string): Promise<ForgeComment> {
    const call = { failure: "the comment cannot be written", needs: "pull-requests: write" };
    return commentOf(await this.#client.post(this.#comments(number), { body }, commentForm, call));
  }

  editComment(_number: number, id: string, body: string): Promise<void> {
    return this.#client.change(
      "PATCH",
      `${this.#root}/issues/comments/${encodeURIComponent(id)}`,
      { body },
      { failure: "the comment cannot be changed", needs: "pull-requests: write" },
    );
  }

  removeComment(_number: number, id: string): Promise<void> {
    return this.#client.remove(`${this.#root}/issues/comments/${encodeURIComponent(id)}`, {
      failure: "the comment cannot be removed",
      needs: "pull-requests: write",
    });
  }

  async ownStatuses(commit: string): Promise<CommitStatus[]> {
    const isMine = await this.#ownership();
    return newestOfEach(
      (await this.#statuses(commit)).filter(({ creator }) => isMine(creator)).map(statusOf),
    );
  }

  async statusesOfOthers(commit: string, name: string): Promise<(CommitStatus & { by: string })[]> {
    const isMine = await this.#ownership();
    const others = (await this.#statuses(commit)).filter(({ creator }) => !isMine(creator));
    return others.flatMap((each) =>
      each.context === name ? [{ ...statusOf(each), by: each.creator?.login ?? "a deleted user" }] : [],
    );
  }

  async setStatus(commit: string, { name, state, description, url }: CommitStatus): Promise<void> {
    await this.#client.post(
      `${this.#root}/statuses/${encodeURIComponent(commit)}`,
      {
        state,
        context: name,
        description: shorten(description, longestDescription - 1),
        ...(url !== undefined && { target_url: url }),
      },
      Type.Unknown(),
      { failure: "the commit status cannot be set", needs: "statuses: write", isRepeatable: true },
    );
  }

  #read(pull: StoredForm<typeof pullForm>): PullRequest {
    return pullRequestOf(pull, this.#repository);
  }

  #comments(number: number): string {
    return `${this.#root}/issues/${number}/comments`;
  }

  #statuses(commit: string): Promise<StoredForm<typeof statusForm>[]> {
    return this.#client.list(`${this.#root}/commits/${encodeURIComponent(commit)}/statuses`, {}, statusForm, {
      failure: "the statuses of the commit cannot be read",
      needs: "statuses: read",
    });
  }

  #ownership(): Promise<(user: User) => boolean> {
    const apiUrl = `${this.#settings.apiUrl.replace(/\/v3\/*$|\/+$/, "")}/graphql`;
    return (this.#isOwn ??= ownership(
      this.#client,
      () => new ForgeClient("GitHub", { ...this.#settings, apiUrl }),
    ));
  }
}

function isFork({ head }: { head: { repo: StoredForm<typeof fork> } }, repository: string): boolean {
  return head.repo?.full_name.toLowerCase() !== repository.toLowerCase();
}

function pullRequestOf(pull: StoredForm<typeof pullForm>, repository: string): PullRequest {
  const { number, title, html_url: url, head, base, merge_commit_sha: merge } = pull;
  const isMerged = typeof pull.merged_at === "string";
  return {
    number,
    title,
    url,
    state: isMerged ? "merged" : pull.state === "open" ? "open" : "closed",
    isFork: isFork(pull, repository),
    head: { commit: head.sha, branch: head.ref },
    base: { branch: base.ref },
    labels: pull.labels.map(({ name }) => name),
    mergedAs: isMerged && typeof merge === "string" ? [merge] : [],
  };
}

function commentOf({ id, body, html_url: url }: StoredForm<typeof commentForm>): ForgeComment {
  return { id: String(id), body, url };
}

function statusOf({ context: name, state, description }: StoredForm<typeof statusForm>): CommitStatus {
  return {
    name,
    state: state === "success" || state === "pending" ? state : ("failure" satisfies CommitStatus["state"]),
    description: description ?? "",
  };
}
