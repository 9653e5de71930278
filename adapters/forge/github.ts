import { readFile } from "node:fs/promises";
import { type Fields, isFields, type Json, own, textIn } from "../../core/json.ts";
import { InvalidInputError } from "../../core/problem.ts";
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
import { type CiEvent, type ForgeSystem, pushedOnto } from "./system.ts";

const longestDescription = 140;

const publicApi = "https://api.github.com";

/** GitHub, and GitHub Enterprise Server. */
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
      { failure: `the repositories of ${group} cannot be listed`, needs: "metadata: read" },
    );
    return found
      .filter((each) => each["archived"] !== true)
      .map((each) => ({
        path: textIn(each, "full_name") ?? "",
        repository: textIn(each, "clone_url") ?? "",
      }));
  },
  async jobIn(environment) {
    if (environment["GITHUB_ACTIONS"] !== "true") return undefined;
    const { GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: apiUrl = publicApi } = environment;
    const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run, GITHUB_SHA: commit = "" } = environment;
    const event = await readEvent(environment["GITHUB_EVENT_PATH"]);
    const pull = own(event, "pull_request");
    const group = own(event, "merge_group");
    return {
      project: repository,
      apiUrl,
      event: isFields(pull)
        ? eventOf(pull, repository)
        : isFields(group)
          ? {
              type: "merge group",
              head: textIn(group, "head_sha") ?? commit,
              base: textIn(group, "base_sha"),
              branch: branchOf(textIn(group, "base_ref")),
            }
          : {
              type: "branch",
              commit,
              branch: branchOf(environment["GITHUB_REF"]),
              ...pushedOnto(textIn(event, "before")),
            },
      defaultBranch: textIn(fieldsIn(event, "repository"), "default_branch"),
      url: server && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    };
  },
};

function eventOf(pull: Fields, repository: string): CiEvent {
  const { number, isFork, head } = pullRequestOf(pull, repository);
  const base = textIn(fieldsIn(pull, "base"), "sha");
  return { type: "pull request", number, isFork, head: head.commit, base };
}

/** Empty for a push to a tag. */
function branchOf(reference = ""): string {
  const heads = "refs/heads/";
  return reference.startsWith(heads) ? reference.slice(heads.length) : "";
}

async function readEvent(file: string | undefined): Promise<Fields> {
  try {
    const event = JSON.parse(await readFile(file ?? "", "utf8")) as Json;
    return isFields(event) ? event : {};
  } catch {
    throw new InvalidInputError([
      {
        code: "argument",
        message: "the event of the workflow cannot be read",
        advice: "GITHUB_EVENT_PATH names its file; do not change it",
      },
    ]);
  }
}

/** A repository on GitHub. */
class GithubRepository implements Forge {
  readonly title = "GitHub";
  readonly pullRequestWord = github.pullRequestWord;
  readonly numberSign = "#";
  readonly longestDescription = longestDescription;
  readonly #client: ForgeClient;
  readonly #settings: ForgeSettings;
  readonly #repository: string;
  readonly #root: string;
  #isOwn: Promise<(user: Json | undefined) => boolean> | undefined;

  /** @param repository `acme/infra` */
  constructor(repository: string, settings: ForgeSettings) {
    this.#client = new ForgeClient("GitHub", settings);
    this.#settings = settings;
    this.#repository = repository;
    this.#root = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  }

  async openPullRequests(branch: string, label?: string): Promise<PullRequest[]> {
    const pulls = await this.#client.list(
      `${this.#root}/pulls`,
      { state: "open", base: branch },
      { failure: "the pull requests cannot be listed", needs: "pull-requests: read" },
    );
    return pulls
      .map((pull) => this.#read(pull))
      .filter(({ labels }) => label === undefined || labels.includes(label));
  }

  async openPullRequest({ title, body, head, base }: NewPullRequest): Promise<PullRequest> {
    const call = {
      failure: `the pull request of ${head} cannot be opened`,
      needs: "pull-requests: write",
    };
    const opened = await this.#client.post(`${this.#root}/pulls`, { title, body, head, base }, call);
    return this.#read(isFields(opened) ? opened : {});
  }

  async pullRequest(number: number): Promise<PullRequest | undefined> {
    const pull = await this.#client.find(`${this.#root}/pulls/${number}`, {
      failure: `the pull request #${number} cannot be read`,
      needs: "pull-requests: read",
    });
    return isFields(pull) ? this.#read(pull) : undefined;
  }

  async pullRequestsOf(commit: string): Promise<PullRequest[]> {
    const pulls = await this.#client.list(
      `${this.#root}/commits/${encodeURIComponent(commit)}/pulls`,
      {},
      { failure: "the pull request of the commit cannot be found", needs: "pull-requests: read" },
    );
    return pulls.map((pull) => this.#read(pull));
  }

  async ownComments(number: number): Promise<ForgeComment[]> {
    const isMine = await this.#ownership();
    const all = await this.#client.list(
      this.#comments(number),
      {},
      { failure: "the comments cannot be listed", needs: "pull-requests: write" },
    );
    return all.filter(({ user }) => isMine(user)).map(commentOf);
  }

  async addComment(number: number, body: string): Promise<ForgeComment> {
    const call = { failure: "the comment cannot be written", needs: "pull-requests: write" };
    const added = await this.#client.post(this.#comments(number), { body }, call);
    return commentOf(isFields(added) ? added : {});
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
      statusOf(each).name === name
        ? [{ ...statusOf(each), by: textIn(fieldsIn(each, "creator"), "login") ?? "" }]
        : [],
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
      { failure: "the commit status cannot be set", needs: "statuses: write", isRepeatable: true },
    );
  }

  #read(pull: Fields): PullRequest {
    return pullRequestOf(pull, this.#repository);
  }

  #comments(number: number): string {
    return `${this.#root}/issues/${number}/comments`;
  }

  #statuses(commit: string): Promise<Fields[]> {
    return this.#client.list(
      `${this.#root}/commits/${encodeURIComponent(commit)}/statuses`,
      {},
      { failure: "the statuses of the commit cannot be read", needs: "statuses: read" },
    );
  }

  #ownership(): Promise<(user: Json | undefined) => boolean> {
    const apiUrl = `${this.#settings.apiUrl.replace(/\/v3\/*$|\/+$/, "")}/graphql`;
    return (this.#isOwn ??= ownership(
      this.#client,
      () => new ForgeClient("GitHub", { ...this.#settings, apiUrl }),
    ));
  }
}

const workflowUser = "github-actions[bot]";

/**
 * Tells the comments and statuses of the token's own user from those of others, who could write anything. The token of an
 * app cannot ask the REST API for its user; the other API tells it.
 */
async function ownership(
  client: ForgeClient,
  other: () => ForgeClient,
): Promise<(user: Json | undefined) => boolean> {
  const login = await client
    .get("/user", { failure: "the user of the token cannot be read", needs: "" })
    .then((me) => (isFields(me) ? textIn(me, "login") : undefined))
    .catch((error: unknown) => {
      if (error instanceof ForgeError && error.status === 403) return userOfApp(other());
      throw error;
    });
  return (user) => isFields(user) && login !== undefined && textIn(user, "login") === login;
}

async function userOfApp(client: ForgeClient): Promise<string> {
  const call = { failure: "the user of the token cannot be read", needs: "", isRepeatable: true };
  try {
    const answer = await client.post("", { query: "query { viewer { login } }" }, call);
    const viewer = isFields(answer) ? fieldsIn(fieldsIn(answer, "data"), "viewer") : {};
    return textIn(viewer, "login") ?? workflowUser;
  } catch (error) {
    // Without that API, the token is that of a workflow: other apps are refused their own statuses.
    if (error instanceof ForgeError && (error.status === 403 || error.status === 404)) return workflowUser;
    throw error;
  }
}

function pullRequestOf(pull: Fields, repository: string): PullRequest {
  const [head, base] = [fieldsIn(pull, "head"), fieldsIn(pull, "base")];
  // The repository of a branch that was deleted is null.
  const from = textIn(fieldsIn(head, "repo"), "full_name");
  const merge = textIn(pull, "merge_commit_sha");
  const isMerged = textIn(pull, "merged_at") !== undefined;
  const labels = own(pull, "labels");
  return {
    number: Number(own(pull, "number")),
    title: textIn(pull, "title") ?? "",
    url: textIn(pull, "html_url") ?? "",
    state: isMerged ? "merged" : textIn(pull, "state") === "open" ? "open" : "closed",
    isFork: from?.toLowerCase() !== repository.toLowerCase(),
    head: { commit: textIn(head, "sha") ?? "", branch: textIn(head, "ref") ?? "" },
    base: { branch: textIn(base, "ref") ?? "" },
    labels: (Array.isArray(labels) ? labels : []).flatMap((each) =>
      isFields(each) ? (textIn(each, "name") ?? []) : [],
    ),
    mergedAs: isMerged && merge !== undefined ? [merge] : [],
  };
}

function commentOf(comment: Fields): ForgeComment {
  const url = textIn(comment, "html_url");
  return {
    id: String(own(comment, "id")),
    body: textIn(comment, "body") ?? "",
    url,
  };
}

function statusOf(status: Fields): CommitStatus {
  const state = textIn(status, "state");
  return {
    name: textIn(status, "context") ?? "",
    state: state === "success" || state === "pending" ? state : ("failure" satisfies CommitStatus["state"]),
    description: textIn(status, "description") ?? "",
  };
}

function fieldsIn(fields: Fields, member: string): Fields {
  const value = own(fields, member);
  return isFields(value) ? value : {};
}
