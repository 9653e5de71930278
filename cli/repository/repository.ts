import type { BudgetShares } from "../../adapters/database/index.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import type { Policy } from "../../core/planning/plan/index.ts";
import { policiesOfAll } from "../../core/rules/policies/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import type { SecretSources } from "../../core/secrets/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import {
  readRepositoryAddress,
  readRevision,
  Repository,
  type RepositoryAddress,
  type Revision,
} from "../../adapters/git/index.ts";
import { CommitSource, defaultShares, type GivenSettings } from "../../reconciler/index.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";
import { declaredEnvironments, settingsFrom } from "../settings/file.ts";
import { duration, tighterCaps } from "../../core/manifests/settings/values.ts";
import type { DeclaredSections } from "../../core/manifests/settings/schema.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { readVariables } from "../manifests/variables.ts";
import { policyOf } from "../change/desired-plan.ts";

/** What the section `reconcile` of the operator's settings file says. */
export interface OperatorFlags {
  operator: DeclaredSections["reconcile"];
}

export interface RepositoryFlags extends PlanFlags, OperatorFlags {
  repo?: string;
  branch?: string | undefined;
  revision?: string | undefined;
  path?: string | undefined;
  data?: string;
  allowLocalRepo?: boolean;
  interval?: string;
}

export interface RepositoryPlace {
  address: RepositoryAddress;
  branch: string;
  revision: Revision | undefined;
  /** With `/`; empty: the whole repository. */
  path: string;
  /** The folder for the copy; undefined means a temporary one. */
  data: string | undefined;
  /** Milliseconds between two looks at it. */
  interval: number;
  budgetShares: BudgetShares;
  /** The pattern of pages of the console; undefined: the page has no links there. */
  consoleUrl?: string | undefined;
  /** The file of ssh keys, one of which has to sign each commit; undefined if commits need no signature. */
  allowedSigners: string | undefined;
}

const defaultInterval = 60_000;
/** A look more often than this would be a burden for the server of the repository. */
const shortestInterval = 1000;

/** Reads where the manifests are, from flags, environment variables and the operator's settings. Adds mistakes to `problems`. */
export function readPlace(
  flags: RepositoryFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): RepositoryPlace | undefined {
  const { repo = env["INFRASYNC_REPO"], data = env["INFRASYNC_DATA"], branch, path } = flags;
  const { allowLocalRepo: allowLocal = false, revision: given, interval, operator } = flags;
  const before = problems.length;
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  if (!repo) refuse("the repository is not set", "set it with --repo, or INFRASYNC_REPO");
  const read = repo ? readRepositoryAddress(repo, { allowLocal }) : undefined;
  if (read && "problem" in read) problems.push(read.problem);
  if (branch !== undefined && !isBranch(branch))
    refuse(`"${escapeControl(branch)}" is not the name of a branch`, "write one such as main");
  const revision = given === undefined ? undefined : readRevision(given);
  if (given !== undefined && !revision)
    refuse(
      `--revision "${escapeControl(given)}" is not a revision`,
      "write a tag such as v1.2.3, a range of versions such as 'v1.*', or the whole id of a commit",
    );
  const folder = posix.normalize(path || ".").replace(/\/+$/, "");
  if (posix.isAbsolute(folder) || folder.split("/").includes("..") || /[\0\n:]/.test(folder))
    refuse(
      `--path "${escapeControl(path ?? "")}" is not a folder of the repository`,
      "write a path such as infra or deploy/manifests",
    );
  const { require_signed: signers, console_url: consoleUrl } = operator;
  if (consoleUrl !== undefined && !/^https?:\/\/.*\{environment\}/.test(consoleUrl))
    refuse(
      `console_url "${escapeControl(consoleUrl)}" is not the URL of an environment`,
      "write a URL with the ids in it, such as https://console.example.com/{organization}/{project}/{environment}/{service}",
    );
  const time = interval ? duration(interval) : { value: defaultInterval };
  if ("wrong" in time) refuse(`--interval ${time.wrong}`, time.advice);
  else if (time.value < shortestInterval)
    refuse("--interval is shorter than a second", "write a time such as 60s");
  const budgetShares = readShares(operator.budget_share, refuse);
  if (!read || "wrong" in time || problems.length > before || !("address" in read)) return undefined;
  return {
    address: read.address,
    branch: branch || "main",
    revision,
    path: folder === "." ? "" : folder,
    data: data ? resolve(data) : undefined,
    interval: time.value,
    allowedSigners: signers ? resolve(signers) : undefined,
    budgetShares,
    consoleUrl,
  };
}

/** Reads shares such as `read=20,apply=60`, in percent. A missing one has its default. */
function readShares(
  given: string | undefined,
  refuse: (message: string, advice: string) => void,
): BudgetShares {
  const shares = { ...defaultShares };
  for (const each of (given || "").split(",").filter((text) => text.trim() !== "")) {
    const [, name, number] = /^\s*(read|apply)\s*=\s*(\d{1,3})\s*%?\s*$/.exec(each) ?? [];
    const percent = Number(number);
    if (name === undefined || percent < 1 || percent > 100)
      refuse(
        `budget_share "${escapeControl(each)}" is not a share of the quota`,
        "write a percentage for each, such as read=20,apply=60",
      );
    else shares[name === "read" ? "checking" : "applying"] = percent;
  }
  return shares;
}

/** Whether git allows it as the name of a branch, and no other program could misread it. */
function isBranch(name: string): boolean {
  return /^(?![-./])[^\s~^:?*[\\\p{Cc}]+$/u.test(name) && !/\.\.|@\{|\/\/|\.lock$|[./]$/.test(name);
}

/** Works with a repository, in a temporary folder where none is named. */
export async function withRepository<Result>(
  place: RepositoryPlace,
  flags: PlanFlags,
  console: Pick<Console, "io">,
  work: (source: CommitSource, repository: Repository) => Promise<Result>,
): Promise<Result> {
  return withDataFolder(place.data, async (folder) => {
    const { source, repository } = await openRepository(place, folder, flags, console);
    return work(source, repository);
  });
}

/** Works with a data folder: a temporary one where none is named. */
export async function withDataFolder<Result>(
  data: string | undefined,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), "infrasync-reconcile-")));
  try {
    return await work(folder);
  } finally {
    if (data === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** A repository with its copy in a folder, and its commits. @throws InvalidInputError with mistakes in variables */
export async function openRepository(
  place: RepositoryPlace,
  folder: string,
  flags: PlanFlags,
  { io }: Pick<Console, "io">,
): Promise<{ source: CommitSource; repository: Repository }> {
  const { variables, problems } = await readVariables(flags, io);
  if (problems.length > 0) throw new InvalidInputError(problems);
  const repository = repositoryAt(place, folder, io);
  const source = new CommitSource(repository, {
    path: place.path,
    variables,
    allowedSigners: place.allowedSigners,
    environmentsOf: async ({ content, name }) => declaredEnvironments(await settingsFrom(content, name)),
  });
  return { source, repository };
}

export function repositoryAt(
  { address, branch, revision }: Pick<RepositoryPlace, "address" | "branch" | "revision">,
  folder: string,
  { env, signal }: Pick<Io, "env" | "signal">,
): Repository {
  return new Repository({ address, branch, revision, folder, env, signal });
}

/** The policy of the settings file of a commit: it can protect, forbid and lower caps, and nothing else. */
export async function policyForCommit(
  { settings: given, restrictions = [] }: { settings?: GivenSettings; restrictions?: readonly Restriction[] },
  flags: PlanFlags,
  operator: Settings,
  console: Console,
  others: readonly Restriction[] = [],
): Promise<{ policy: Policy; problems: Problem[] }> {
  const reader = given && (await SettingsReader.of(flags, console, given.content, given.name));
  const declared = reader?.declared();
  const problems = [...(reader?.problems ?? [])];
  const tightened = {
    ...operator,
    protect: [...operator.protect, ...(declared?.protect ?? [])],
    policies: policiesOfAll([operator.policies, declared?.policies]),
    maxDeletes: tighterCaps(operator.maxDeletes, declared?.maxDeletes ?? {}),
  };
  const policy = policyOf(flags, tightened, problems);
  const all = [...(policy.restrictions ?? []), ...restrictions, ...others];
  return { policy: { ...policy, restrictions: all }, problems };
}

/** The sources for secrets of commits: named variables and a named folder, because committers must not read the service's secrets. */
export function secretSourcesOfCommits(
  { env }: Pick<Io, "env">,
  { allowCommands = false }: Pick<ConsentFlags, "allowCommands">,
  { allowEnv = [] }: Pick<Settings, "allowEnv">,
): SecretSources {
  const { INFRASYNC_SECRETS_DIR: folder } = env;
  return {
    environment: env,
    variables: allowEnv,
    allowCommands,
    files: folder ? { folder: resolve(folder) } : "nowhere",
  };
}
