import { readFile } from "node:fs/promises";
import { systemClock } from "../../core/api/index.ts";
import { type Fields, isFields, type Json, own, textIn } from "../../core/json.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { type Forge, type ForgeSettings, github, gitlab } from "../../forge/index.ts";
import { readSecretText } from "../engine/secret-text.ts";
import type { Console } from "../terminal/console.ts";

/** What a job runs for. */
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
  | { type: "branch"; commit: string; branch: string };

/** Where a job runs, and for what. */
export interface CiPlace {
  /** `GitHub`. */
  forge: "GitHub" | "GitLab";
  event: CiEvent;
  /** Undefined: the forge does not tell. */
  defaultBranch: string | undefined;
  /** The page of the job. */
  url: string | undefined;
  /** @throws InvalidInputError where no token is set */
  connect(): Promise<Forge>;
}

const tokenName = "INFRASYNC_FORGE_TOKEN";
/** The longest wait for a limit of the forge, in milliseconds. */
const patience = 300_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads from the environment of the job where it runs. @throws InvalidInputError on none that is known */
export async function readCiPlace(console: Console): Promise<CiPlace> {
  const { env } = console.io;
  if (env["GITHUB_ACTIONS"] === "true") return gitHubPlace(env, console);
  if (env["GITLAB_CI"] === "true") return gitLabPlace(env, console);
  throw refused(
    "this is not running in GitHub Actions or GitLab CI",
    "elsewhere, use infrasync plan --output markdown and infrasync apply --expect DIGEST",
  );
}

async function gitHubPlace(env: Variables, console: Console): Promise<CiPlace> {
  const { GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: api = "https://api.github.com" } = env;
  const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run, GITHUB_SHA: commit = "" } = env;
  const event = await readEvent(env["GITHUB_EVENT_PATH"]);
  const defaultBranch = textIn(fieldsIn(event, "repository"), "default_branch");
  const pull = own(event, "pull_request");
  return {
    forge: "GitHub",
    event: isFields(pull)
      ? gitHubRequest(pull, repository)
      : { type: "branch", commit, branch: branchOf(env["GITHUB_REF"]) },
    defaultBranch,
    url: server && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    connect: () => connect("GitHub", console, (settings) => github(repository, { ...settings, apiUrl: api })),
  };
}

function gitHubRequest(pull: Fields, repository: string): CiEvent {
  const [head, base] = [fieldsIn(pull, "head"), fieldsIn(pull, "base")];
  return {
    type: "pull request",
    number: Number(own(pull, "number")),
    isFork: textIn(fieldsIn(head, "repo"), "full_name")?.toLowerCase() !== repository.toLowerCase(),
    head: textIn(head, "sha") ?? "",
    base: textIn(base, "sha"),
  };
}

/** A push to a tag is none to a branch. */
function branchOf(reference = ""): string {
  const heads = "refs/heads/";
  return reference.startsWith(heads) ? reference.slice(heads.length) : "";
}

async function readEvent(file: string | undefined): Promise<Fields> {
  try {
    const event = JSON.parse(await readFile(file ?? "", "utf8")) as Json;
    return isFields(event) ? event : {};
  } catch {
    throw refused(
      "the event of the workflow cannot be read",
      "GITHUB_EVENT_PATH names its file; do not change it",
    );
  }
}

function gitLabPlace(env: Variables, console: Console): CiPlace {
  const { CI_COMMIT_SHA: commit = "", CI_MERGE_REQUEST_IID: number } = env;
  const project = env["CI_MERGE_REQUEST_PROJECT_ID"] ?? env["CI_PROJECT_ID"] ?? "";
  return {
    forge: "GitLab",
    event: number
      ? {
          type: "pull request",
          number: Number(number),
          isFork: env["CI_MERGE_REQUEST_SOURCE_PROJECT_ID"] !== env["CI_MERGE_REQUEST_PROJECT_ID"],
          // In a pipeline for merged results, the commit is that of the merge.
          head: env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || commit,
          base: env["CI_MERGE_REQUEST_DIFF_BASE_SHA"],
        }
      : { type: "branch", commit, branch: env["CI_COMMIT_BRANCH"] ?? "" },
    defaultBranch: env["CI_DEFAULT_BRANCH"],
    url: env["CI_JOB_URL"],
    connect: () =>
      connect("GitLab", console, (settings) =>
        gitlab(project, { ...settings, apiUrl: env["CI_API_V4_URL"] ?? "https://gitlab.com/api/v4" }),
      ),
  };
}

async function connect(
  title: string,
  console: Console,
  make: (settings: Omit<ForgeSettings, "apiUrl">) => Forge,
): Promise<Forge> {
  const { io } = console;
  const token = await readSecretText(tokenName, io);
  if (token === undefined)
    throw refused(
      `no token for ${title} is set`,
      `set ${tokenName}, or ${tokenName}_FILE to a file that contains it`,
    );
  console.hide(token);
  const { env: environment, signal, clock = systemClock } = io;
  return make({ token, environment, clock, signal, patience });
}

function refused(message: string, advice: string): InvalidInputError {
  return new InvalidInputError([{ code: "argument", message, advice }]);
}

function fieldsIn(fields: Fields, member: string): Fields {
  const value = own(fields, member);
  return isFields(value) ? value : {};
}
