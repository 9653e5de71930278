import { comesWithin } from "../../core/api/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import { durationOf } from "../../core/model/schema/duration.ts";
import { escapeControl } from "../../core/values/text.ts";
import { dateTimeMistake } from "../declaration-formats.ts";
import { isSame, theService } from "../identity.ts";
import { may, type Person, type Role } from "../people/index.ts";
import { type Pause, rulesNow, type Suspension, suspensionText, timeText } from "../policy/index.ts";
import { didYouMean, forbidden, malformed, type UserAction, wrong } from "./user-action.ts";
import type { PreparedUserAction, RequestContext, RequestTargets } from "./verb.ts";

const longestReason = 300;
/** A hundred years, in milliseconds: a longer pause is a mistake. */
const longestPause = 36_525 * 86_400_000;
/** How long a pause waits for the end of changes that are being made, in milliseconds. */
const longestWait = 6000;
const everything = "**";

/** Prepares a pause. It is confirmed when the changes that are being made are made. @throws UserActionError */
export function pause({ action, person, known, clock }: RequestContext): PreparedUserAction {
  const { pattern, environments, meant } = pausable(action, person, known);
  if (environments.length === 0 && pattern !== everything)
    throw wrong(
      known.environments.length === 0
        ? "the service has not read the documents yet; ask again in a moment, or pause everything"
        : `no document declares ${pattern}, so nothing is paused${meant}`,
    );
  const now = clock.now();
  const until = endOf(action, now);
  const reason = escapeControl((action.reason ?? "").trim().slice(0, longestReason));
  if (reason === "") throw malformed("a pause needs a reason, which others will see");
  const ended = timeText(until);
  const names = environments.map(({ name }) => name).join(", ");
  return {
    detail: `${action.for === undefined ? `until ${ended}` : `for ${action.for}`}: ${reason}`,
    pauses: (all) => [...all, { pattern, until, reason, by: person.identity, at: now }],
    async confirm({ underWay }) {
      // Changes that have started must not end after the answer.
      return !underWay || (await comesWithin(clock, longestWait, underWay))
        ? ""
        : " Changes in progress are finished.";
    },
    message: `Nothing is applied in ${pattern === everything ? "any environment" : pattern} until ${ended}${isOne(pattern) || pattern === everything ? "" : ` (now: ${names})`}.`,
  };
}

/** Prepares the end of pauses: of one's own, or, with the role for that, of all. @throws UserActionError */
export function resume({ action, person, known, requests, clock }: RequestContext): PreparedUserAction {
  const now = clock.now();
  const { pattern, named, environments, meant } = pausable(action, person, known);
  const there = requests.pauses.filter(
    ({ until, by, ...each }) =>
      until > now && keyOf(each.pattern) === keyOf(pattern) && !isSame(by, theService),
  );
  const isOwn = ({ by }: Pause) => isSame(by, person.identity);
  const ended = there.filter((each) => action.all || isOwn(each));
  if (!ended.every(isOwn)) ensureRole("approve", pattern, person, known);
  const without = (all: readonly Pause[]) => all.filter((each) => !ended.includes(each));
  /** All that still holds the environments: pauses, and suspensions of the policy. */
  const held = environments.flatMap((environment) => {
    const { rules } = known.of(environment);
    const { suspensions = [] } = rules ? rulesNow(rules, environment, without(requests.pauses), now) : {};
    return suspensions.map((each) => `${environment.name} is ${suspensionText(each)}`);
  });
  const still = [...new Set(held)].join("; ");
  if (ended.length === 0)
    throw wrong(
      `no pause${action.all ? "" : " of yours"} names ${named}${environments.length > 0 ? "" : meant}${still && `: ${still}`}${there.length > 0 ? "; a person with the role approve there can end the pauses of others with --all" : ""}`,
    );
  const whose = ended.map(({ by, reason }) => `${by.name}: ${reason}`).join("; ");
  return {
    detail: `ends ${whose}`,
    pauses: without,
    message: `${named}: the pause is over (${whose}).${still && ` Still nothing is applied: ${still}.`}`,
  };
}

/** How a person can end a pause: as one's own, as one of all, or not at all. */
export function endOfPause(
  { pattern, by }: NonNullable<Suspension["pause"]>,
  person: Person,
  known: RequestTargets,
): "own" | "all" | undefined {
  const [role, end] = isSame(by, person.identity)
    ? (["operate", "own"] as const)
    : (["approve", "all"] as const);
  return hasRole(role, pattern, person, known) ? end : undefined;
}

/** The environments that are meant: by their names as documents have them, where it is one that they describe. */
function pausable({ environment }: UserAction, person: Person, known: RequestTargets) {
  const found = known.environments.find(
    ({ name }) => environment !== "" && keyOf(name) === keyOf(environment),
  );
  const pattern = environment === "" ? everything : (found?.name ?? environment);
  const read = readEnvironmentScope(pattern);
  if (!("matches" in read)) throw malformed(`"${environment}" ${read.message}; ${read.advice}`);
  if (found && (!isOne(pattern) || found.names.length === 0)) {
    // A name with * is a pattern, too, and would pause others.
    const more = isOne(pattern) ? "" : `, or environments, such as ${found.names[0]}/**`;
    throw wrong(`${pattern} cannot be paused by itself; pause everything${more}`);
  }
  ensureRole("operate", pattern, person, known);
  return {
    pattern,
    named: pattern === everything ? "all environments" : pattern,
    environments: known.environments.filter(({ names }) => read.matches(names)),
    meant: didYouMean(pattern, known.environments, person),
  };
}

/** @throws UserActionError unless the person has a role in all environments that are meant */
function ensureRole(role: Role, pattern: string, person: Person, known: RequestTargets): void {
  if (hasRole(role, pattern, person, known)) return;
  const where = pattern === everything ? "everywhere" : `${isOne(pattern) ? "" : "everywhere "}in ${pattern}`;
  throw forbidden(person, role, where);
}

function hasRole(role: Role, pattern: string, person: Person, { environments }: RequestTargets): boolean {
  if (may(person, role, [])) return true;
  const read = readEnvironmentScope(pattern);
  const matching = environments.filter(({ names }) => "matches" in read && read.matches(names));
  const there = isOne(pattern) ? [pattern.split("/")] : matching.map(({ names }) => names);
  return pattern !== everything && there.length > 0 && there.every((names) => may(person, role, names));
}

function isOne(pattern: string): boolean {
  return !pattern.includes("*");
}

function endOf({ for: length, until }: UserAction, now: number): number {
  const duration = length === undefined ? undefined : durationOf(length);
  const end =
    until === undefined || dateTimeMistake(until) ? now + (duration ?? Number.NaN) : Date.parse(until);
  if (Number.isNaN(end) || (length !== undefined && until !== undefined))
    throw malformed(
      "give the length of the pause, such as 90m, 12h or 3d, or its end, such as 2026-12-01T08:00:00Z",
    );
  if (end <= now || end > now + longestPause)
    throw malformed("the end of the pause is in the past, or more than a hundred years away");
  return end;
}

function keyOf(pattern: string): string {
  return pattern.split("/").map(nameKey).join("/");
}
