import { clocksAgree } from "../api/index.ts";
import { isTarget } from "../plan/documents.ts";
import { attempt, type Refusal } from "../plan/findings.ts";
import { findExisting } from "../plan/locate.ts";
import { protectedNote, protectionOf } from "./protected-by.ts";
import { nameKey } from "../names.ts";
import type { Desired } from "../manifest/index.ts";
import { endAt, type ExpiryMark, markIn, markMember, withMark } from "../parts/index.ts";
import { durationOf } from "../schema/duration.ts";
import type { Expected } from "../plan/expected.ts";
import { asDocument, type Comparison } from "../plan/overlay.ts";
import { withLiveParts } from "../plan/parts.ts";
import type { Concern, Planning } from "../plan/planning.ts";

/**
 * A document that also states when its resource ends, if the document limits that. The end is counted from the plan that
 * makes the resource as a clone; a changed limit moves it by the difference. What exists without an end gets none: nobody
 * has made it to be deleted. Adds a note with the end.
 *
 * @param current undefined if the resource does not exist
 * @throws Unplannable while the present end has not been read
 */
function withExpiry(planning: Planning, desired: Desired, current: Expected | undefined): Desired {
  const { findings, policy } = planning;
  const mark = markFor(planning, desired, current);
  if (!mark) {
    if (desired.expires) findings.note({ code: "expires", message: endless, address: desired.address });
    return desired;
  }
  findings.note({
    code: "expires",
    message: isOver(planning, mark)
      ? `was to end at ${mark.value}`
      : `ends at ${mark.value}; a run that prunes deletes it after that`,
    address: desired.address,
    ...(isOver(planning, mark) && !policy.prune && { remedies: [{ consent: "prune" }] }),
  });
  return { ...desired, stated: withMark(desired.stated, mark) };
}

const endless =
  "does not end by itself: expires_after counts from the run that makes the clone, and no run has made this one with an end";

/**
 * The end of a resource that may end by itself, if it is over; undefined if it is not, or the resource does not say so
 * itself.
 *
 * @throws Unplannable while that has not been read
 */
function hasEnded(planning: Planning, desired: Desired, current: Expected): string | undefined {
  if (desired.address.kind.deletion?.neverByItself?.(current.fields) !== undefined) return undefined;
  const mark = markFor(planning, desired, current);
  return mark && isOver(planning, mark) ? mark.value : undefined;
}

function isOver({ live }: Planning, { value }: ExpiryMark): boolean {
  return Date.parse(value) <= live.now;
}

/** When a resource ends, with what its document states now. @throws Unplannable */
function markFor(
  planning: Planning,
  desired: Desired,
  current: Expected | undefined,
): ExpiryMark | undefined {
  const { expires, name } = desired;
  if (!expires) return undefined;
  const present = current && presentMark(planning, desired, current);
  if (current && !present && expires.since === undefined) return undefined;
  const begin = present
    ? Date.parse(present.value) - (durationOf(present.lifetime) ?? 0)
    : (expires.since ?? laterNow(planning));
  const value = endAt(begin + expires.milliseconds);
  return value === undefined ? undefined : { value, lifetime: expires.text, name };
}

/** Now by the server, or by this machine if that is later and the two disagree: the resource must not end too early. */
function laterNow({ live: { now, serverAhead = 0 } }: Planning): number {
  return clocksAgree(serverAhead) ? now : Math.max(now, now - serverAhead);
}

/** The mark of a resource itself: a clone of another has the mark of that one. */
function presentMark(planning: Planning, desired: Desired, current: Expected): ExpiryMark | undefined {
  const marked = { ...desired, stated: { ...desired.stated, [markMember]: {} } };
  const mark = markIn(withLiveParts(planning, marked, current));
  return current.live && mark && nameKey(mark.name) === nameKey(current.name) ? mark : undefined;
}

/** Refuses a limit for a resource that must not end by itself. */
function refuseExpiry(_: Planning, { desired, wanted }: Comparison): Refusal[] {
  const reason = desired.expires && desired.address.kind.deletion?.neverByItself?.(wanted);
  const help = "state another mode, or take expires_after out";
  return reason === undefined
    ? []
    : [{ code: "impossible", path: ["clone", "expires_after"], message: reason, help }];
}

const forClones = "expires_after is a member of clone";

/**
 * The documents of resources whose time is over, where the run prunes. The resource itself has to say so too: by its mode,
 * its name, and the end that was written on it.
 */
function endedOf(planning: Planning): ReadonlySet<Desired> {
  const { resources, policy, findings, inventory } = planning;
  const ended = new Set<Desired>();
  for (const desired of policy.prune ? resources : []) {
    if (!desired.expires || desired.manage.prune === false || !isTarget(policy, desired.address)) continue;
    const current = attempt(() => findExisting(planning, desired));
    const end = current && attempt(() => hasEnded(planning, desired, current));
    const identity = current?.id === undefined ? undefined : inventory.byId.get(current.id);
    if (end === undefined || !identity) continue;
    const protection = protectionOf(inventory, policy, identity);
    const isCertain = clocksAgree(planning.live.serverAhead ?? 0);
    findings.note(
      !isCertain
        ? {
            code: "expires",
            message: `not deleted, although it was to end at ${end}, because the clocks of this machine and of the server differ by more than an hour; set the clock of this machine`,
            address: desired.address,
          }
        : protection
          ? protectedNote(protection, `not deleted, although it was to end at ${end}`, desired.address)
          : {
              code: "expires",
              message: `is deleted, because it was to end at ${end}; take its document out, or the next run clones it again`,
              address: desired.address,
            },
    );
    if (isCertain && !protection) ended.add(desired);
  }
  return ended;
}

/** `clone.expires_after`: a clone ends by itself. */
export const expiry: Concern = {
  name: "expiry",
  programs: true,
  state: {
    on: { nothing: forClones, source: true, existing: true },
    run: (planning, { on, base, desired }) =>
      asDocument(withExpiry(planning, desired, on === "existing" ? base : undefined)),
  },
  refuse: { on: { nothing: forClones, source: true, existing: true }, run: refuseExpiry },
  ended: endedOf,
};
