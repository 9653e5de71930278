import { nameKey } from "../../core/model/addresses/names.ts";
import { durationOf } from "../../core/model/schema/duration.ts";
import { escapeControl } from "../../core/values/text.ts";
import { isSame } from "../identity.ts";
import {
  type Pause,
  type Rules,
  type Share,
  suspendedNow,
  type Suspension,
  suspensionText,
  timeText,
} from "../policy/index.ts";
import { readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import { may, type Person } from "../people/index.ts";
import type { PreparedUserAction, RequestContext, RequestTargets } from "./verb.ts";
import { type UserAction, UserActionError } from "./user-action.ts";

const longestReason = 300;
/** How long a pause waits for the end of changes that are being made, in milliseconds. */
const longestWait = 6000;
/** The pattern of everything. */
const everything = "**";

/** Prepares a pause. It is confirmed when the changes that are being made are made. @throws UserActionError */
export function pause({
  action,
  person,
  known: knownNow,
  requests,
  clock,
}: RequestContext): PreparedUserAction {
  const known = knownNow();
  const pattern = patternOf(action, known);
  const there = permittedIn(pattern, person, known);
  if (there.length === 0 && pattern !== everything)
    throw new UserActionError(
      "wrong",
      known.shares.length === 0
        ? "the service has not read the documents yet; ask again in a moment, or pause everything"
        : `no document declares ${pattern}, so nothing is paused`,
    );
  const now = clock.now();
  const until = endOf(action, now);
  const reason = escapeControl((action.reason ?? "").trim().slice(0, longestReason));
  if (reason === "") throw new UserActionError("wrong", "say why, for those who will wonder");
  const by = person.identity;
  const ended = timeText(until);
  return {
    detail: `${action.for === undefined ? `until ${ended}` : `for ${action.for}`}: ${reason}`,
    act: () => requests.changePauses(now, (all) => [...all, { pattern, until, reason, by, at: now }]),
    async confirm() {
      // What was begun before must not be applied after the answer.
      const { underWay } = knownNow();
      if (!underWay) return "";
      const enough = new AbortController();
      const late = clock.sleep(longestWait, enough.signal).then(() => true);
      const isLate = await Promise.race([underWay.then(() => false), late]);
      enough.abort();
      return isLate ? " Changes that were begun before go on to their end." : "";
    },
    message: `Nothing is applied in ${nameOf(pattern)} until ${ended}${pattern.includes("*") && pattern !== everything ? ` (now: ${there.map(({ name }) => name).join(", ")})` : ""}.`,
  };
}

/** Prepares the end of pauses: of one's own, or, with the role for that, of all. @throws UserActionError */
export function resume({
  action,
  person,
  known: knownNow,
  requests,
  clock,
}: RequestContext): PreparedUserAction {
  const known = knownNow();
  const now = clock.now();
  const { pauses } = requests;
  const pattern = patternOf(action, known);
  permittedIn(pattern, person, known);
  const there = pauses.filter((each) => each.until > now && keyOf(each.pattern) === keyOf(pattern));
  const isOwn = ({ by }: Pause) => isSame(by, person.identity);
  if (action.all && !there.every(isOwn)) permittedIn(pattern, person, known, "approve");
  const ended = there.filter((each) => action.all || isOwn(each));
  const shares = known.shares.filter(({ names }) => matches(pattern, names));
  const held = (rest: readonly Pause[]) => holding(shares, known, rest, now);
  if (ended.length === 0) {
    const advice = there.length > 0 ? "; whoever may approve there ends the pauses of others with --all" : "";
    const still = held(pauses);
    const why = still.length > 0 ? `: ${still.join("; ")}` : "";
    throw new UserActionError("wrong", `no pause of yours is for ${nameOf(pattern)}${why}${advice}`);
  }
  const without = (all: readonly Pause[]) => all.filter((each) => !ended.includes(each));
  const rest = held(without(pauses));
  const whose = ended.map(({ by, reason }) => `${by.name}: ${reason}`).join("; ");
  return {
    detail: `ends ${whose}`,
    act: () => requests.changePauses(now, without),
    message: `${nameOf(pattern)}: the pause is over (${whose}).${rest.length > 0 ? ` Still nothing is applied: ${rest.join("; ")}.` : ""}`,
  };
}

/** The rules of a share with the pauses that hold now, in the place of those of the last cycle. */
export function rulesNow(rules: Rules, { names }: Share, pauses: readonly Pause[], now: number): Rules {
  const { suspensions, ...rest } = rules;
  return { ...rest, ...suspendedNow(suspensions, names, pauses, now) };
}

/** All that holds some shares: pauses, and suspensions of the policy. */
function holding(
  shares: readonly Share[],
  known: RequestTargets,
  pauses: readonly Pause[],
  now: number,
): string[] {
  const all = shares.flatMap((share) => {
    const rules = known.of(share).rules;
    const { suspensions = [] } = rules ? rulesNow(rules, share, pauses, now) : {};
    return suspensions.map((each) => `${share.name} is ${suspensionText(each)}`);
  });
  return [...new Set(all)];
}

/** The environments that are meant: by their names as documents have them, where it is one that they describe. */
function patternOf({ environment }: UserAction, { shares }: RequestTargets): string {
  if (environment === "") return everything;
  const share = shares.find(({ name }) => keyOf(name) === keyOf(environment));
  const text = share?.name ?? environment;
  const read = readEnvironmentScope(text);
  if (!("matches" in read))
    throw new UserActionError("wrong", `"${environment}" ${read.message}; ${read.advice}`);
  // A name with * is a pattern, too, and would pause others.
  const isOther = share?.name.includes("*") === true;
  if (!isOther && share?.names.length !== 0) return text;
  const more = isOther ? `, or environments, such as ${share.names[0]}/**` : "";
  throw new UserActionError("wrong", `${share.name} cannot be paused by itself; pause everything${more}`);
}

/** The shares that are meant. @throws UserActionError unless the person has a role in all of them */
function permittedIn(
  pattern: string,
  person: Person,
  { shares }: RequestTargets,
  role: PauseRole = "operate",
): Share[] {
  if (hasRole(role, pattern, person, shares)) return shares.filter(({ names }) => matches(pattern, names));
  const where = pattern === everything ? "everywhere" : `${isOne(pattern) ? "" : "everywhere "}in ${pattern}`;
  throw new UserActionError("forbidden", `${person.identity.name} does not have the role ${role} ${where}`);
}

/** Pauses need the first, the end of pauses of others the second. */
type PauseRole = "operate" | "approve";

function hasRole(role: PauseRole, pattern: string, person: Person, shares: readonly Share[]): boolean {
  if (may(person, role, [])) return true;
  if (isOne(pattern)) return may(person, role, pattern.split("/"));
  const there = shares.filter(({ names }) => matches(pattern, names));
  return pattern !== everything && there.length > 0 && there.every(({ names }) => may(person, role, names));
}

function isOne(pattern: string): boolean {
  return !pattern.includes("*");
}

/** How a person can end a pause: as one's own, as one of all, or not at all. */
export function endOfPause(
  { pattern, by }: NonNullable<Suspension["pause"]>,
  person: Person,
  { shares }: RequestTargets,
): "own" | "all" | undefined {
  if (isSame(by, person.identity)) return hasRole("operate", pattern, person, shares) ? "own" : undefined;
  return hasRole("approve", pattern, person, shares) ? "all" : undefined;
}

function endOf({ for: length, until }: UserAction, now: number): number {
  const duration = length === undefined ? undefined : durationOf(length);
  const end = duration === undefined ? Date.parse(until ?? "") : now + duration;
  if ((length !== undefined && (duration === undefined || until !== undefined)) || Number.isNaN(end))
    throw new UserActionError(
      "wrong",
      "say for how long, such as 90m, 12h or 3d, or until when, such as 2026-12-01T08:00:00Z",
    );
  if (end <= now || !Number.isFinite(end) || end > 8.64e15)
    throw new UserActionError("wrong", "the end of the pause is over already, or never comes");
  return end;
}

function matches(pattern: string, names: readonly string[]): boolean {
  const read = readEnvironmentScope(pattern);
  return "matches" in read && read.matches(names);
}

function nameOf(pattern: string): string {
  return pattern === everything ? "all environments" : pattern;
}

function keyOf(pattern: string): string {
  return pattern.split("/").map(nameKey).join("/");
}
