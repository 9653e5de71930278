/** Which part of a window of the quota looking may spend, and what it has spent. Times are in milliseconds. */
export interface ReadShare {
  /** Requests in a window; Infinity: the quota is not known. */
  allowed: number;
  spent: number;
  /** When the window ends, since 1970. */
  end: number;
  now: number;
  /** Between two looks, as set. */
  interval: number;
  /** How many pay together for the events and the audits; default: it pays alone. */
  spenders?: number;
  /** The allowed and the spent requests of all spenders of the window; default: those of this one, times `spenders`. */
  all?: { allowed: number; spent: number };
}

/** The requests that looking may spend now, beside the events and the audits of the rest of the window, which come first. */
export interface ReadBudget {
  /** Milliseconds between two looks at the events: as set, unless these and the audits took more than half of the share. */
  interval: number;
  /** Milliseconds between two audits. */
  auditInterval: number;
  /** Requests for what an event names, and for a new commit. */
  suspects: number;
  /** Requests for what has not been read yet, or may have changed as a whole: some are left for events. */
  unknown: number;
  /** The same while nothing at all is known: then events are of no use, so a first read takes something of theirs. */
  first: number;
  /** Requests a millisecond for reading levels again in turn. */
  pace: number;
}

const hour = 3_600_000;
/** How many requests an audit sends. */
export const auditCost = 3;
/** How often live resources are audited, in milliseconds, where the share suffices. */
const usualAudits = 300_000;

/** Divides the rest of the share for looking: events first, then suspects, then unknown levels, then turns. */
export function lookingBudgetOf({
  allowed,
  spent,
  end,
  now,
  interval,
  spenders = 1,
  all,
}: ReadShare): ReadBudget {
  const rest = Math.max(0, end - now);
  // The server tells when a window ends, not how long it is.
  const span = Math.max(hour, rest);
  const together = all?.allowed ?? allowed * spenders;
  const left = all ? all.allowed - all.spent : (allowed - spent) * spenders;
  const auditInterval = Math.max(usualAudits, Math.min(span, (auditCost * span) / (together / 5)));
  const audits = span / auditInterval;
  // The other half is for what events name: to hear of changes and not to read them is of no use.
  const half = span / (together / 2 - auditCost * audits);
  // Many starts, or lists of events with many pages, may have spent what was meant for the rest of the window.
  const untilEnd = left > 0 ? rest / left : rest;
  // The next window brings a new share, also if this one is spent.
  const polls = Math.max(interval, Math.min(rest, Math.max(half, allowed === Infinity ? 0 : untilEnd)));
  const watching = (span / polls + auditCost * audits) / spenders;
  const suspects = Math.max(0, Math.floor(allowed - spent - (watching * rest) / span));
  // Half of the requests are kept back for what events name: the less, the sooner the window ends.
  const kept = Math.max(allowed / 20, (((allowed - watching) / 2) * rest) / span);
  const unknown = allowed === Infinity ? Infinity : Math.max(0, Math.floor(suspects - kept));
  const first = Math.max(unknown, Math.floor(Math.min((allowed - spent) / 2, together / 10)));
  return { interval: polls, auditInterval, suspects, unknown, first, pace: rest > 0 ? unknown / rest : 0 };
}

/**
 * How long it takes to read everything again in turn, in milliseconds, where the share does not suffice for a usual time.
 *
 * @param requests what it takes to read everything once
 * @param byEvents the requests of the last hour for what events named
 */
export function periodOf(
  share: Pick<ReadShare, "allowed" | "interval" | "spenders">,
  requests: number,
  byEvents: number,
  usual: number,
): number {
  if (share.allowed === Infinity) return usual;
  const { suspects } = lookingBudgetOf({ ...share, spent: 0, end: hour, now: 0 });
  // Events are few as a rule; however many there are, something is left for turns.
  const perHour = Math.max(suspects - byEvents, suspects / 5, 1);
  return Math.max(usual, (requests / perHour) * hour);
}
