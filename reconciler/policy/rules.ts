import type { AnyAddress } from "../../core/model/addresses/address.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { environmentNames } from "../../core/model/addresses/scope.ts";
import type { CommitPolicy, EnvironmentRules, Promotion, Retry, DeclaredRules, Suspension } from "./file.ts";
import { type Mode, modes } from "./schema.ts";
import { beginningsAfter, isOpen, type Window } from "./windows.ts";

/** The settings of the operator, which a commit can tighten but not loosen. */
export interface OperatorRules {
  /** Default: commits may be applied. */
  onCommit?: Mode;
  /** Default: drift is reported, and no commit can have it reverted. */
  onDrift?: Mode;
  /** The most deletions and replacements in any 24 hours; default: those of one run. */
  deletesPerDay?: number;
  /** The most of all sources of an organization together; default: the same. */
  organizationDeletesPerDay?: number | undefined;
  /** The pauses of people, beside the suspensions of the commit. */
  pauses?: readonly EnvironmentRules[];
}

/** The rules of an environment, of a project without its environments, or of the organization without its projects. */
export interface Rules {
  onCommit: Mode;
  onDrift: Mode;
  /** `rollback`: after a failed deployment of a commit, the last healthy commit is restored. */
  onFailure: NonNullable<DeclaredRules["onFailure"]>;
  /** Absent: failed deployments are not retried. */
  retry?: Retry;
  /** Whether the commit lets the operator's consent to prune apply here. */
  prune: boolean;
  /** The active suspensions, the one that ends last first. Absent: none. */
  suspensions?: readonly Suspension[];
  /** Nothing is applied outside the windows; `until`: when the next one opens, if known. */
  closed?: { until?: number };
  /** The environments that have to be synced and healthy before commits are applied. */
  promotions: readonly Promotion[];
  /** Commits wait for one of these environments; `until`: when it will be ready. */
  unpromoted?: { reason: string; until?: number };
  /** Nothing is applied while the server works on changes of an earlier cycle. */
  atWork?: true;
}

/**
 * The rules for an environment: the strictest of all matching patterns, and the defaults without any; never looser than
 * the operator's.
 *
 * @param names those of the project and the environment, of the project alone, or none: the organization
 * @param now milliseconds since 1970
 */
export function rulesFor(
  names: readonly string[],
  { defaults, environments }: CommitPolicy,
  operator: OperatorRules,
  now: number,
): Rules {
  const matching = environments.filter(({ pattern }) => pattern.matches(names));
  const mode = (member: "onCommit" | "onDrift", limit: Mode): Mode => {
    const declared = strictest(matching.map((rules) => rules[member])) ?? defaults[member];
    return strictest([declared, limit]) ?? limit;
  };
  const paused = (operator.pauses ?? []).filter(({ pattern }) => pattern.matches(names));
  const windows = matching.flatMap((rules) => rules.windows ?? []);
  // Each pattern has to allow the time, and none may deny it.
  const isClosed = matching.some((rules) => rules.windows && !isOpen(rules.windows, now));
  const until = isClosed ? openingOf(matching, windows, now) : undefined;
  const suspensions = [...matching, ...paused].flatMap(({ suspend }) =>
    suspend && suspend.until > now ? [suspend] : [],
  );
  return {
    onCommit: mode("onCommit", operator.onCommit ?? "apply"),
    onDrift: mode("onDrift", operator.onDrift ?? "report"),
    onFailure: failureMode(matching) ?? defaults.onFailure ?? "report",
    ...retrying(matching.some(({ retry }) => retry) ? matching : [defaults]),
    prune: mayPrune(matching) ?? defaults.prune ?? true,
    promotions: matching.flatMap(({ promote }) => promote ?? []),
    ...suspendedBy(suspensions),
    ...(isClosed && { closed: until === undefined ? {} : { until } }),
  };
}

/** The rules that are as strict as both. */
export function strictestRules(one: Rules, other: Rules): Rules {
  const closed = [one.closed, other.closed].filter((each) => each !== undefined);
  const openings = closed.flatMap(({ until }) => until ?? []);
  return {
    onCommit: strictest([one.onCommit, other.onCommit]) ?? one.onCommit,
    onDrift: strictest([one.onDrift, other.onDrift]) ?? one.onDrift,
    onFailure: failureMode([one, other]) ?? "report",
    ...(one.retry && other.retry && retrying([one, other])),
    prune: one.prune && other.prune,
    promotions: [...one.promotions, ...other.promotions],
    ...suspendedBy([...(one.suspensions ?? []), ...(other.suspensions ?? [])]),
    // The later of both; a cycle at that time finds out whether it is open.
    ...(closed.length > 0 && {
      closed: openings.length === closed.length ? { until: Math.max(...openings) } : {},
    }),
  };
}

export function suspendedBy(suspensions: readonly Suspension[]): Pick<Rules, "suspensions"> {
  // The rules before a commit and after it, and those of several names, may have the same ones.
  const distinct = [...new Map(suspensions.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 0
    ? {}
    : { suspensions: distinct.toSorted((left, right) => right.until - left.until) };
}

function openingOf(
  matching: readonly EnvironmentRules[],
  windows: readonly Window[],
  now: number,
): number | undefined {
  const isOpenForAll = (time: number) =>
    matching.every((rules) => !rules.windows || isOpen(rules.windows, time));
  return beginningsAfter(windows, now).find(isOpenForAll);
}

function strictest(given: readonly (Mode | undefined)[]): Mode | undefined {
  return modes.find((mode) => given.includes(mode));
}

/** A rollback needs all patterns that declare a reaction. */
function failureMode(matching: readonly Pick<DeclaredRules, "onFailure">[]): DeclaredRules["onFailure"] {
  const declared = matching.flatMap(({ onFailure }) => onFailure ?? []);
  return declared.includes("report") ? "report" : declared[0];
}

/** The fewest retries, after the longest waits. */
function retrying(given: readonly Pick<DeclaredRules, "retry">[]): { retry?: Retry } {
  const declared = given.flatMap(({ retry }) => retry ?? []);
  if (declared.length === 0) return {};
  const limit = Math.min(...declared.map((each) => each.limit));
  return { retry: { limit, backoff: Math.max(...declared.map((each) => each.backoff)) } };
}

function mayPrune(matching: readonly DeclaredRules[]): boolean | undefined {
  const declared = matching.map(({ prune }) => prune).filter((prune) => prune !== undefined);
  return declared.length === 0 ? undefined : declared.every(Boolean);
}

/** The permission for the changes of an environment now. @param isCommit whether they are of a commit, not drift */
export function modeOf(
  { onCommit, onDrift, suspensions, closed, atWork, unpromoted }: Rules,
  isCommit: boolean,
): Mode {
  const mode = isCommit ? onCommit : onDrift;
  // Detection continues during a suspension, and outside the windows.
  return (suspensions || closed || atWork || (isCommit && unpromoted)) && mode === "apply" ? "report" : mode;
}

export function isWatched(rules: Rules): boolean {
  return modeOf(rules, true) !== "off" || modeOf(rules, false) !== "off";
}

/** The rules for requested changes: they are applied even if the rules only report. All other rules stay. */
export function rulesWhenRequested(rules: Rules): Rules {
  const requested = (mode: Mode): Mode => (mode === "report" ? "apply" : mode);
  return { ...rules, onCommit: requested(rules.onCommit), onDrift: requested(rules.onDrift) };
}

/** Why an environment waits in which a run waits for the server. */
export const whileAtWork = "an earlier change is still in progress on the server";

export function reasonToWait(rules: Rules): string {
  const { onCommit, closed, atWork, unpromoted } = rules;
  if (atWork) return whileAtWork;
  if (unpromoted && !isShut(rules) && onCommit === "apply") return unpromoted.reason;
  const isHeld = rules.suspensions !== undefined || (closed !== undefined && onCommit === "apply");
  return (isHeld ? reasonToHold(rules) : undefined) ?? `on_commit: ${onCommit}`;
}

/** Why nothing is applied in an environment, even on request; undefined: a sync has an effect there. */
export function reasonToHold({
  onCommit,
  onDrift,
  suspensions,
  closed,
}: Pick<Rules, "onCommit" | "onDrift" | "closed" | "suspensions">): string | undefined {
  const [suspension] = suspensions ?? [];
  if (suspension) return suspensionText(suspension);
  if (closed)
    return closed.until === undefined
      ? "outside its windows, and no window opens"
      : `outside its windows until ${timeText(closed.until)}`;
  return onCommit === "off" && onDrift === "off" ? "on_commit: off, on_drift: off" : undefined;
}

/** The rules without pauses, and without windows that open again. */
export function rulesUntilCommit({ suspensions = [], closed, ...others }: Rules): Rules {
  const isShutForGood = closed !== undefined && closed.until === undefined;
  return {
    ...others,
    ...suspendedBy(suspensions.filter(({ pause: ofPerson }) => !ofPerson)),
    ...(isShutForGood && { closed }),
  };
}

/** What holds an environment until a commit ends it: an approval and a rollback wait for the end of a pause and for a window. */
export function reasonUntilCommit(rules: Rules): string | undefined {
  return reasonToHold(rulesUntilCommit(rules));
}

function isShut({ suspensions, closed }: Rules): boolean {
  return suspensions !== undefined || closed !== undefined;
}

/** `paused until 2026-12-01T08:00:00Z by anna: a migration`, `suspended by the policy until …: …` */
export function suspensionText({ until, reason, pause }: Suspension): string {
  const pattern = pause?.pattern.includes("*") ? ` (${pause.pattern})` : "";
  if (!pause) return `suspended by the policy until ${timeText(until)}: ${reason}`;
  const end = until === Infinity ? "" : ` until ${timeText(until)}`;
  return `paused${end} by ${pause.by.name}${pattern}: ${reason}`;
}

/** The end and reason of a commit's suspension of an address; undefined: none. @param now milliseconds since 1970 */
export function suspendedAt(address: AnyAddress, policy: CommitPolicy, now: number): string | undefined {
  const [suspension] = rulesFor(environmentNames(address), policy, {}, now).suspensions ?? [];
  return suspension && suspensionText(suspension);
}

/** When a waiting environment is tried again, in milliseconds since 1970; undefined: unknown. */
export function waitEnd({ suspensions, closed, unpromoted }: Rules): number | undefined {
  const until = suspensions?.[0]?.until ?? closed?.until ?? unpromoted?.until;
  return until === Infinity ? undefined : until;
}

export function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Resources that a prune leaves alone by the rules: whole environments and projects also while nothing is applied. */
export function sparedBy(rulesOf: (names: readonly string[]) => Rules): (address: AnyAddress) => boolean {
  return (address) => {
    const names = environmentNames(address);
    const rules = rulesOf(names);
    return !rules.prune || (names.length === address.names.length && modeOf(rules, true) !== "apply");
  };
}

/** The documents without the consents to prune that the policy revokes. */
export function withoutPruning(
  resources: readonly DesiredResource[],
  rulesOf: (names: readonly string[]) => Rules,
): readonly DesiredResource[] {
  const isPruned = ({ address }: DesiredResource) => rulesOf(environmentNames(address)).prune;
  if (resources.every(isPruned)) return resources;
  return withManage(resources, (desired) => {
    const { exclusive: _exclusive, ...manage } = desired.manage;
    return isPruned(desired) ? desired.manage : { ...manage, prune: false };
  });
}

/** The documents with another `manage`. */
export function withManage(
  resources: readonly DesiredResource[],
  manageOf: (desired: DesiredResource) => DesiredResource["manage"],
): DesiredResource[] {
  const changed = new Map<DesiredResource, DesiredResource>();
  return resources.map((desired) => {
    // Documents come after those that they need.
    const after = desired.after.map((other) => changed.get(other) ?? other);
    const result = { ...desired, after, manage: manageOf(desired) };
    changed.set(desired, result);
    return result;
  });
}
