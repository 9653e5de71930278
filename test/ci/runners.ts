import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import { afterAll, onTestFinished } from "vitest";
import { parse } from "yaml";
import { declarationOf, declareInputs } from "../../cli/commands/declaration.ts";
import { stepCommand } from "../../ci/inputs.ts";
import type { Fields } from "../../core/values/json.ts";
import { type CommandLine, CommandPool } from "../fixtures/command-pool.ts";
import {
  type ForgeServer,
  gitHostToken,
  repository as repositoryName,
  startGitHub,
  startGitLab,
} from "../fixtures/forges/server.ts";
import { GitRepository, pushing } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { compileCache, programs } from "../fixtures/programs.ts";
import { runScript } from "../fixtures/shell.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const checkout = path.join(import.meta.dirname, "..", "..");

/** What a job has printed, and what it has left for the forge. */
export interface JobRun {
  code: number | null;
  output: string;
  /** GitHub's job summary. */
  summary: string;
  /** GitHub's outputs of the step. */
  outputs: Record<string, string>;
}

export interface JobOptions {
  /** Inputs of the action, or flags of the command without dashes, and `path`. */
  inputs?: Record<string, string>;
  isFork?: boolean;
  /** A queue of GitHub merges the pull request, and the job plans the commit that it has made. */
  isQueued?: boolean;
  /** The job checks out the head, where GitHub would give it a merge of both. */
  isHead?: boolean;
  /** Another commit than the head of the pull request, which somebody has pushed there. */
  head?: string;
  /** Happens when the job has checked the repository out. */
  onStart?(workspace: string): void;
  /** The job starts the program that a runner starts: the bundle of the action, the script of the template. */
  isProcess?: boolean;
  /** Variables that the job does not get. */
  without?: string[];
  env?: Record<string, string>;
}

type Files = Parameters<GitRepository["push"]>[0];

/** A repository on a forge whose jobs run infrasync as its runner does. */
export interface Bench {
  forge: ForgeServer;
  server: Harness;
  repository: GitRepository;
  /** The pull request's number, and its head on a branch of the repository. */
  open(number: number, files: Files): string;
  /** Pushes another commit to the branch of a pull request. */
  push(number: number, files: Files): string;
  /** Merges as the forge does, and returns the commit on the default branch; the next apply is told of this push. */
  merge(number: number, way?: "merge" | "squash" | "rebase"): string;
  plan(number: number, options?: JobOptions): Promise<JobRun>;
  apply(commit: string, options?: JobOptions): Promise<JobRun>;
  check(options?: JobOptions): Promise<JobRun>;
  /** The bodies of the comments on a pull request. */
  comments(number: number): string[];
  /** The newest status of a name: `success: 1 to update…`. */
  status(commit: string, name?: string): string | undefined;
}

type Event =
  | { mode: "plan"; number: number; head: string; base: string; isFork: boolean; workspace: string }
  | { mode: "apply" | "check"; commit: string; before?: string | undefined; workspace: string };

export interface ForgeKind {
  forge: ForgeServer;
  opened(number: number, head: string, base: string): void;
  merged(number: number, commit: string): void;
  /** The name of a status, and what it says. */
  statusText(status: Fields): { name: unknown; text: string };
  start(event: Event, options: JobOptions, folder: string): Promise<JobRun>;
}

const pool = new CommandPool();
const action = new Command();
declareInputs(action, declarationOf("ci"));

afterAll(() => pool.close());

/** Runs a program to its end. Only what a runner gives is in its environment. */
async function run(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += String(chunk);
    });
  await once(child, "close");
  return { code: child.exitCode, output };
}

async function read(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

interface WorkflowStep {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

/** A workflow as its file has it. */
export interface Workflow {
  permissions: Record<string, string>;
  env?: Record<string, string>;
  jobs: Record<string, { env?: Record<string, string>; steps: WorkflowStep[] }>;
}

/**
 * A GitHub, and its runner.
 *
 * @param workflow the runner runs its commands; without it, the runner runs the action
 */
export async function gitHub(api: () => Harness, workflow?: Workflow): Promise<ForgeKind> {
  const forge = await startGitHub();
  return {
    forge,
    opened(number, head, base) {
      const others = forge.pulls.filter((pull) => pull.number !== number);
      const pull = { number, head: { ref: `topic-${number}`, sha: head }, base: { ref: "main", sha: base } };
      forge.pulls.splice(0, Infinity, ...others, pull);
    },
    merged(number, commit) {
      const pull = forge.pulls.find((each) => each.number === number);
      Object.assign(pull ?? {}, {
        state: "closed",
        merged_at: "2026-01-27T19:01:12Z",
        merge_commit_sha: commit,
      });
    },
    statusText: ({ context, state, description }) => ({
      name: context,
      text: `${String(state)}: ${String(description)}`,
    }),
    async start(event, { inputs = {}, isQueued = false, isProcess = false, without = [], env = {} }, folder) {
      const { url, tokens } = api().emulator;
      const [eventFile, summary, output] = ["event.json", "summary.md", "output.txt"].map((name) =>
        path.join(folder, name),
      ) as [string, string, string];
      const repo = (name: string) => ({ full_name: name, default_branch: "main" });
      await writeFile(
        eventFile,
        JSON.stringify({
          repository: repo(repositoryName),
          ...(event.mode === "apply" && { before: event.before }),
          ...(event.mode === "plan" &&
            isQueued && {
              action: "checks_requested",
              merge_group: {
                head_sha: (await readFile(path.join(event.workspace, ".git", "HEAD"), "utf8")).trim(),
                base_sha: event.base,
                base_ref: "refs/heads/main",
              },
            }),
          ...(event.mode === "plan" &&
            !isQueued && {
              action: "synchronize",
              number: event.number,
              pull_request: {
                number: event.number,
                head: { sha: event.head, repo: repo(event.isFork ? "mallory/infra" : repositoryName) },
                base: { sha: event.base, ref: "main", repo: repo(repositoryName) },
              },
            }),
        }),
      );
      const given: Record<string, string> = {
        mode: event.mode,
        path: "manifests",
        token: tokens[event.mode === "apply" ? "admin" : "read"],
        "git-host-token": gitHostToken,
        "base-url": url,
        ...inputs,
      };
      const variables = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`,
          value,
        ]),
      );
      const environment: Record<string, string | undefined> = {
        PATH: process.env["PATH"],
        HOME: folder,
        ...compileCache,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: forge.url,
        GITHUB_SERVER_URL: "https://github.com",
        GITHUB_RUN_ID: "7",
        GITHUB_REPOSITORY: repositoryName,
        GITHUB_EVENT_NAME: event.mode === "plan" ? "pull_request" : "push",
        GITHUB_EVENT_PATH: eventFile,
        GITHUB_REF: event.mode === "plan" ? `refs/pull/${event.number}/merge` : "refs/heads/main",
        GITHUB_SHA: event.mode === "plan" ? "" : event.commit,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        ...(!workflow && variables),
        ...(workflow && { ...stepVariables(workflow, event.mode, tokens), INFRASYNC_BASE_URL: url }),
        ...env,
      };
      for (const name of without) delete environment[name];
      const start = async () => {
        if (isProcess) return run(process.execPath, [programs.action], event.workspace, environment);
        const { args, env: tokensOfStep } = stepCommand(action, environment);
        return pool.run({
          folder: event.workspace,
          args: ["ci", ...args],
          env: { ...environment, ...tokensOfStep },
        });
      };
      const runWorkflow = async (jobs: Workflow) => {
        await installInto(event.workspace);
        const bin = path.join(event.workspace, "node_modules", ".bin");
        environment["PATH"] = `${bin}${path.delimiter}${environment["PATH"]}`;
        return run("bash", ["-e", "-c", commandsOf(jobs, event.mode)], event.workspace, environment);
      };
      const ran = await (workflow ? runWorkflow(workflow) : start());
      return {
        ...ran,
        summary: await read(summary),
        outputs: Object.fromEntries(
          [...(await read(output)).matchAll(/^(\w+)<<(\S+)\n([^]*?)\n\2$/gm)].map(
            ([, name = "", , value = ""]) => [name, value],
          ),
        ),
      };
    },
  };
}

/** The variables that a workflow sets for the commands of a job. */
function stepVariables(
  { env, jobs }: Workflow,
  job: string,
  tokens: Harness["emulator"]["tokens"],
): Record<string, string> {
  const values: Record<string, string> = {
    "secrets.INFRASYNC_READ_TOKEN": tokens.read,
    "secrets.INFRASYNC_WRITE_TOKEN": tokens.write,
    "github.token": gitHostToken,
  };
  const steps = stepsAfterInstallation(jobs[job]?.steps ?? []);
  const given = [env, jobs[job]?.env, ...steps.map((step) => step.env)].flatMap((each) =>
    Object.entries(each ?? {}),
  );
  return Object.fromEntries(
    given.map(([name, text]) => [
      name,
      text.replaceAll(/\$\{\{ *(\S+) *\}\}/g, (_, value: string) => values[value] ?? ""),
    ]),
  );
}

/** The commands of a job; the package is installed already. */
function commandsOf({ jobs }: Workflow, job: string): string {
  return stepsAfterInstallation(jobs[job]?.steps ?? [])
    .flatMap(({ run: text }) => text ?? [])
    .join("\n");
}

function stepsAfterInstallation(steps: readonly WorkflowStep[]): WorkflowStep[] {
  return steps.filter(({ run: text }) => text === undefined || !/^npm (?:ci|install)\b/m.test(text));
}

/** Puts infrasync into the `node_modules` of a folder, as `npm ci` does; a global installation puts it on the PATH. */
async function installInto(folder: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  await mkdir(path.join(modules, ".bin"), { recursive: true });
  await mkdir(path.join(modules, "infrasync"));
  const { name, version } = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  await writeFile(
    path.join(modules, "infrasync", "package.json"),
    JSON.stringify({ name, version, type: "module", bin: "main.js" }),
  );
  const main = path.join(modules, "infrasync", "main.js");
  await writeFile(main, `#!/usr/bin/env node\nawait import(${JSON.stringify(programs.commandLine)});\n`);
  await chmod(main, 0o755);
  await symlink("../infrasync/main.js", path.join(modules, ".bin", "infrasync"));
}

/** The jobs of the template, as the file has them. */
interface Template {
  variables: Record<string, string>;
  [job: string]: { script: string[]; variables?: Record<string, string> } | Record<string, string>;
}

/** A GitLab, and its runner, which runs the scripts of the template. */
export async function gitLab(api: () => Harness): Promise<ForgeKind> {
  const forge = await startGitLab();
  const template = parse(
    await readFile(path.join(checkout, "examples", "ci", "infrasync.gitlab-ci.yml"), "utf8"),
  ) as Template;
  return {
    forge,
    opened(number, head) {
      const others = forge.requestsToMerge.filter(({ iid }) => iid !== number);
      forge.requestsToMerge.splice(0, Infinity, ...others, {
        iid: number,
        source_branch: `topic-${number}`,
        sha: head,
      });
    },
    merged(number, commit) {
      const request = forge.requestsToMerge.find(({ iid }) => iid === number);
      Object.assign(request ?? {}, { state: "merged", merge_commit_sha: commit });
    },
    statusText: ({ name, status, description }) => ({
      name,
      text: `${String(status).replace("failed", "failure")}: ${String(description)}`,
    }),
    async start(event, { inputs = {}, isFork = false, isProcess = false, without = [], env = {} }, folder) {
      const { url, tokens } = api().emulator;
      const bin = path.join(folder, "bin");
      await mkdir(bin, { recursive: true });
      await writeFile(
        path.join(bin, "infrasync"),
        `#!/bin/sh\nexec '${process.execPath}' '${programs.commandLine}' "$@"\n`,
      );
      await chmod(path.join(bin, "infrasync"), 0o755);
      const { path: paths, ...settings } = inputs;
      const flags = Object.entries(settings).map(([name, value]) =>
        value === "true" ? `--${name}` : `--${name}=${value}`,
      );
      const job = template[`infrasync-${event.mode}`] as { script: string[] };
      const environment: Record<string, string | undefined> = {
        ...template.variables,
        PATH: `${bin}:${process.env["PATH"] ?? ""}`,
        HOME: folder,
        ...compileCache,
        CI: "true",
        GITLAB_CI: "true",
        CI_API_V4_URL: forge.url,
        CI_PROJECT_ID: "7",
        CI_DEFAULT_BRANCH: "main",
        CI_JOB_URL: "https://gitlab.example.com/acme/infra/-/jobs/1",
        INFRASYNC_FLAGS: flags.join(" "),
        ...(paths !== undefined && { INFRASYNC_PATHS: paths }),
        INFRASYNC_BASE_URL: url,
        INFRASYNC_TOKEN: tokens.read,
        INFRASYNC_GIT_HOST_TOKEN: gitHostToken,
        ...(event.mode === "plan"
          ? {
              CI_COMMIT_SHA: event.head,
              CI_MERGE_REQUEST_IID: String(event.number),
              CI_MERGE_REQUEST_PROJECT_ID: "7",
              CI_MERGE_REQUEST_SOURCE_PROJECT_ID: event.isFork || isFork ? "8" : "7",
              CI_MERGE_REQUEST_DIFF_BASE_SHA: event.base,
            }
          : {
              CI_COMMIT_SHA: event.commit,
              CI_COMMIT_BEFORE_SHA: event.before,
              CI_COMMIT_BRANCH: "main",
              INFRASYNC_APPLY_TOKEN: tokens.admin,
            }),
        ...env,
      };
      for (const name of without) delete environment[name];
      if (!isProcess) {
        const token = event.mode === "apply" ? environment["INFRASYNC_APPLY_TOKEN"] : undefined;
        const commandLine: CommandLine = {
          folder: event.workspace,
          args: ["ci", event.mode, ...flags, "--", ...(environment["INFRASYNC_PATHS"] ?? "").split(" ")],
          env: { ...environment, ...(token !== undefined && { INFRASYNC_TOKEN: token }) },
        };
        return { ...(await pool.run(commandLine)), summary: "", outputs: {} };
      }
      const script = job.script.map((line) => `${line}\n`).join("");
      const ran = await run(
        "bash",
        ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        event.workspace,
        environment,
      );
      return { ...ran, summary: "", outputs: {} };
    },
  };
}

/** A repository with manifests that are applied, on a forge. */
export async function startCiBench(
  make: (api: () => Harness) => Promise<ForgeKind>,
  files: Record<string, string>,
): Promise<Bench> {
  const server = await Harness.start();
  const repository = new GitRepository();
  const scratch = await mkdtemp(path.join(tmpdir(), "infrasync-ci-"));
  onTestFinished(async () => {
    repository[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await removeFolder(scratch);
  });
  const kind = await make(() => server);
  const { forge } = kind;
  repository.atOrigin("config", "uploadpack.allowAnySHA1InWant", "true");
  repository.push(files);
  await server.reconcile(Object.values(files).join("---\n"));
  const heads = new Map<number, { head: string; base: string }>();
  /** The newest commit of the default branch before the last merge. */
  let before: string | undefined;
  let jobs = 0;
  /** What the runner checks out: a shallow clone, with the history for a check. */
  const workspace = async (
    commit: string,
    depth: string[],
  ): Promise<{ folder: string; workspace: string }> => {
    jobs += 1;
    const folder = path.join(scratch, String(jobs));
    const place = path.join(folder, "workspace");
    await mkdir(place, { recursive: true });
    runScript(
      place,
      `git init --quiet --template=
      printf '[remote "origin"]\\n\\turl = file://%s\\n' '${repository.origin}' >>.git/config
      git -c maintenance.auto=false fetch --quiet --no-tags ${depth.join(" ")} origin ${commit}
      git checkout --quiet --detach ${commit}`,
    );
    return { folder, workspace: place };
  };
  const commitOn = (branch: string, start: string, changes: Files): string => {
    repository.git("checkout", "--quiet", "-B", branch, start);
    return repository.push(changes, branch);
  };
  const bench: Bench = {
    forge,
    server,
    repository,
    open(number, changes) {
      const base = repository.newest();
      const head = commitOn(`topic-${number}`, base, changes);
      heads.set(number, { head, base });
      kind.opened(number, head, base);
      return head;
    },
    push(number, changes) {
      const { head: last = "", base = "" } = heads.get(number) ?? {};
      const head = commitOn(`topic-${number}`, last, changes);
      heads.set(number, { head, base });
      kind.opened(number, head, base);
      return head;
    },
    merge(number, way = "merge") {
      const { head = "" } = heads.get(number) ?? {};
      before = repository.newest();
      const merging = {
        merge: `git merge --quiet --no-ff --message 'Merge ${number}' ${head}`,
        squash: `git merge --quiet --squash ${head}; git commit --quiet --message 'Squash ${number}'`,
        // The forge writes new commits where it rebases, also on the same base.
        rebase: `git cherry-pick --no-ff ${before}..${head}`,
      };
      const commit = repository.script(`
        git checkout --quiet -B main ${before}
        { ${merging[way]}; } >/dev/null
        ${pushing("main")}`);
      kind.merged(number, commit);
      return commit;
    },
    async plan(number, options = {}) {
      const { head: last = "", base = "" } = heads.get(number) ?? {};
      const { head = last } = options;
      if (head !== last) kind.opened(number, head, base);
      let commit = head;
      if (kind.forge.url.endsWith("/api/v4") === false && !options.isHead) {
        // GitHub checks out a merge of both.
        const main = repository.newest();
        commit = repository.script(`
          tree=$(git merge-tree --write-tree ${main} ${head})
          commit=$(git commit-tree "$tree" -p ${main} -p ${head} -m 'merge for CI')
          mkdir -p ../origin.git/refs/pull/${number}
          echo "$commit" >../origin.git/refs/pull/${number}/merge
          echo "$commit"`);
      }
      const place = await workspace(commit, ["--depth=1"]);
      const event: Event = {
        mode: "plan",
        number,
        head,
        base,
        isFork: options.isFork ?? false,
        workspace: place.workspace,
      };
      options.onStart?.(place.workspace);
      return kind.start(event, options, place.folder);
    },
    async apply(commit, options = {}) {
      const place = await workspace(commit, ["--depth=1"]);
      return kind.start({ mode: "apply", commit, before, workspace: place.workspace }, options, place.folder);
    },
    async check(options = {}) {
      const commit = repository.newest();
      const place = await workspace(commit, []);
      return kind.start({ mode: "check", commit, workspace: place.workspace }, options, place.folder);
    },
    comments: (number) => (forge.comments.get(number) ?? []).map(({ body }) => body),
    status(commit, name = "infrasync/plan") {
      return (forge.statuses.get(commit) ?? [])
        .map((status) => kind.statusText(status))
        .find((status) => status.name === name)?.text;
    },
  };
  return bench;
}
