import { join } from "node:path";
import { defaultCaps } from "../../../core/planning/plan/index.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import {
  type AccessFile,
  type CommitRules,
  FolderLock,
  type Limits,
  limitsOfBoth,
  type Log,
  type Mode,
  modes,
  type OperatorRules,
  readEnvironmentScope,
  type Source,
  type OtherSources,
  type TokenUsers,
  noRules,
} from "../../../reconciler/index.ts";
import { ledgerVariable } from "../../../adapters/database/join.ts";
import type { ConsentFlags } from "../../flags.ts";
import type { Settings } from "../../settings/index.ts";
import { parseScope } from "../../../core/model/addresses/scope.ts";
import { caps, tighterCaps } from "../../../core/manifests/settings/values.ts";
import { readSettings } from "../../session/read-settings.ts";
import { openRepository, readPlace, type RepositoryFlags } from "../../repository/repository.ts";
import type { Console } from "../../terminal/console.ts";
import type { SharedReadsOf } from "../clients.ts";
import { type ForgeFlags, readForge } from "../forge.ts";
import { readNotifications } from "../notifications.ts";
import { openSource, type OpenSource, type SourceSettings } from "../open-source.ts";
import { type PolicyFlags, readOperatorRules } from "../operator-rules.ts";
import { dataOf } from "./place.ts";
import { sourceEnvironment } from "./source-environment.ts";

export type FleetFlags = RepositoryFlags & ForgeFlags & PolicyFlags & ConsentFlags;

/** The parts shared by all sources of a service. */
export interface SharedParts {
  flags: FleetFlags;
  /** The operator's folder with the files that documents name; undefined: they can name none. */
  files: string | undefined;
  /** The data folder of the service, with one for each source. */
  data: string;
  access: AccessFile | undefined;
  /** The workers' database, which has the ledgers of the tokens if no other one does; undefined: this process works alone. */
  database: string | undefined;
  tokenUsersOf(settings: Settings): TokenUsers;
  refreshesOf: SharedReadsOf;
  othersOf(source: string): OtherSources;
  console: Console;
}

/** Opens a declared source, within the operator's limits for all. @throws InvalidInputError with all mistakes */
export async function openMember(
  source: Source,
  signal: AbortSignal,
  shared: SharedParts,
  log: Log,
  stored: Pick<SourceSettings, "beforeWrite" | "keep" | "sharedParts"> = {},
): Promise<OpenSource> {
  const problems: Problem[] = [];
  const own = sourceEnvironment(source, shared.files, shared.console.io, problems);
  const hasLedger = Boolean(own[ledgerVariable] || own[`${ledgerVariable}_FILE`]);
  const env = hasLedger ? own : { ...own, [ledgerVariable]: shared.database };
  const console = shared.console.within({ env, signal });
  await console.hideFiles();
  const flags = flagsOf(source, shared);
  const place = readPlace(flags, console.io, problems);
  const forge = await readForge(flags, place?.address, console, problems);
  const notifications = await readNotifications(flags, console, problems);
  const operator = stricter(readOperatorRules(shared.flags), source);
  const bounded = caps(source.policy?.max_deletes ?? "");
  if (source.policy?.max_deletes !== undefined && "wrong" in bounded)
    problems.push({
      code: "setting",
      message: `policy.max_deletes ${bounded.wrong}`,
      advice: bounded.advice,
    });
  const settings = await readSettings(flags, console, {
    problems,
    unwatched: "a reconciler runs unattended",
  });
  if (!place) throw new InvalidInputError(problems);
  const folder = dataOf(shared.data, source.name);
  const lock = await new FolderLock(folder, console.io.clock).take(signal, (holder) =>
    log.warn(
      { ...holder },
      "another reconciler works with the data folder of this source; waiting for its end",
    ),
  );
  if (!lock) throw new Error("the run was interrupted before the data folder was free");
  try {
    const opened = await openSource(
      {
        settings: withinLimits(settings, source, "value" in bounded ? bounded.value : {}),
        flags,
        ...(await openRepository(place, folder, flags, console)),
        operator,
        place,
        commitRules: () => rulesOf(source, shared.access),
        notifications,
        forge,
        ...stored,
        lock,
        tokenUsers: shared.tokenUsersOf(settings),
        refreshesOf: shared.refreshesOf,
        others: shared.othersOf(source.name),
        named: { name: source.name, team: source.team },
        console,
      },
      log,
    );
    return {
      ...opened,
      async close() {
        await opened.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function flagsOf(source: Source, { flags, data, files }: SharedParts): FleetFlags {
  const { repository, branch, revision, path, organization, interval } = source;
  const { git_host_api: gitHostApi, git_host_project: gitHostProject } = source;
  const { branch: _branch, revision: _revision, path: _path, operator, ...common } = flags;
  const file = (name: string | undefined) => (name === undefined ? undefined : join(files ?? "", name));
  const { require_signed: _signed, ...shared } = operator;
  const [notifyFile, signers] = [file(source.notify_file), file(source.require_signed)];
  return {
    ...common,
    repo: repository,
    data: dataOf(data, source.name),
    operator: {
      ...shared,
      previews: source.previews ?? false,
      commit_statuses: source.commit_statuses ?? false,
      ...(notifyFile !== undefined && { notify_file: notifyFile }),
      ...(signers !== undefined && { require_signed: signers }),
    },
    branch,
    revision,
    path,
    ...(organization !== undefined && { organization }),
    ...(interval !== undefined && { interval }),
    ...(gitHostApi !== undefined && { gitHostApi }),
    ...(gitHostProject !== undefined && { gitHostProject }),
  };
}

/** The factor for the deletions of all sources in a day, unless the operator sets it. */
const organizationShare = 5;

/** The operator's rules for all sources and for one: the stricter apply. */
function stricter(all: OperatorRules, { policy = {} }: Source): OperatorRules {
  const least = (one: Mode | undefined, other: Mode | undefined) =>
    modes.find((mode) => mode === one || mode === other);
  const onCommit = least(all.onCommit, policy.on_commit);
  const onDrift = least(all.onDrift, policy.on_drift);
  const organization =
    all.organizationDeletesPerDay ?? organizationShare * (all.deletesPerDay ?? defaultCaps.count);
  const perDay = [all.deletesPerDay, policy.max_deletes_per_day].filter((each) => each !== undefined);
  return {
    ...all,
    ...(onCommit !== undefined && { onCommit }),
    ...(onDrift !== undefined && { onDrift }),
    organizationDeletesPerDay: organization,
    ...(perDay.length > 0 && { deletesPerDay: Math.min(...perDay) }),
  };
}

/** The settings of a source: protections for all and for it, and only its own variables. */
function withinLimits(
  settings: Settings,
  { policy = {}, allow_env: given = [] }: Source,
  maxDeletes: Settings["maxDeletes"],
): Settings {
  const protect = (policy.protect ?? []).map((text) => parseScope(text, { member: "policy.protect" }));
  return {
    ...settings,
    protect: [...settings.protect, ...protect],
    allowEnv: (settings.allowEnv ?? []).filter((name) => given.includes(name)),
    maxDeletes: tighterCaps(settings.maxDeletes, maxDeletes),
  };
}

/** The permitted changes of a source's commits, by the access file and by the source. */
async function rulesOf({ projects, kinds }: Source, access: AccessFile | undefined): Promise<CommitRules> {
  const { limits, ignored, restrictions = [] } = (await access?.rules()) ?? noRules;
  const environments = projects
    ?.map((project) => readEnvironmentScope(`${project}/**`))
    .filter((pattern) => "matches" in pattern);
  const own: Limits = { environments, ...(kinds && { kinds: new Set(kinds) }) };
  return { limits: limitsOfBoth(limits, own), ignored, restrictions };
}
