/** The part of a quota's window for refreshing, and its spending. Times are in milliseconds. */
export interface ReadShare {
  /** Requests in a window; Infinity: the quota is unknown. */
  allowed: number;
  spent: number;
  /** When the window ends, since 1970. */
  end: number;
  now: number;
  /** Between two refreshes, as configured. */
  interval: number;
  /** The number of spenders that share the cost of events and audits; default: one. */
  spenders?: number;
  /** The allowed and the spent requests of all spenders of the window; default: those of this one, times `spenders`. */
  all?: { allowed: number; spent: number };
}

/** The requests for refreshing now, beside the events and the audits of the rest of the window, which come first. */
export interface ReadBudget {
  /** Milliseconds between two reads of the events: as configured, or longer, so that half of the share remains. */
  interval: number;
  /** Milliseconds between two audits. */
  auditInterval: number;
  /** Requests for resources of an event, and for a new commit. */
  suspects: number;
  /** Requests for unread or wholly doubtful state: some are left for events. */
  unknown: number;
  /** `unknown` while nothing is known: then events are useless, so a first read takes some of their requests. */
  first: number;
  /** Requests per millisecond for reading levels again in turn. */
  pace: number;
}

const hour = 3_600_000;
/** The requests of an audit. */
export const auditCost = 3;
/** Milliseconds between two audits if the share suffices. */
const usualAudits = 300_000;

/** Divides the rest of the share for refreshing: events first, then suspects, then unknown levels, then turns. */
export function checkingBudgetOf({
  allowed,
  spent,
  end,
  now,
  interval,
  spenders = 1,
  all,
}: ReadShare): ReadBudget {
  const rest = Math.max(0, end - now);
  // The server tells the end of a window, not its length.
  const span = Math.max(hour, rest);
  const together = all?.allowed ?? allowed * spenders;
  const left = all ? all.allowed - all.spent : (allowed - spent) * spenders;
  const auditInterval = Math.max(usualAudits, Math.min(span, (auditCost * span) / (together / 5)));
  const audits = span / auditInterval;
  // The other half is for resources of events: hearing of changes without reading them is useless.
  const half = span / (together / 2 - auditCost * audits);
  // Many starts, or lists of events with many pages, may have spent requests for the rest of the window.
  const untilEnd = left > 0 ? rest / left : rest;
  // The next window brings a new share, even if this one is spent.
  const polls = Math.max(interval, Math.min(rest, Math.max(half, allowed === Infinity ? 0 : untilEnd)));
  const watching = (span / polls + auditCost * audits) / spenders;
  const suspects = Math.max(0, Math.floor(allowed - spent - (watching * rest) / span));
  // Half of the requests are reserved for events: the less, the sooner the window ends.
  const reserved = Math.max(allowed / 20, (((allowed - watching) / 2) * rest) / span);
  const unknown = allowed === Infinity ? Infinity : Math.max(0, Math.floor(suspects - reserved));
  const first = Math.max(unknown, Math.floor(Math.min((allowed - spent) / 2, together / 10)));
  return { interval: polls, auditInterval, suspects, unknown, first, pace: rest > 0 ? unknown / rest : 0 };
}

/** Milliseconds for reading everything again in turn. @param requests that this takes @param byEvents those of the last hour for events */
export function periodOf(
  share: Pick<ReadShare, "allowed" | "interval" | "spenders">,
  requests: number,
  byEvents: number,
  usual: number,
): number {
  if (share.allowed === Infinity) return usual;
  const { suspects } = checkingBudgetOf({ ...share, spent: 0, end: hour, now: 0 });
  // Events are usually few; in any case, turns keep some requests.
  const perHour = Math.max(suspects - byEvents, suspects / 5, 1);
  return Math.max(usual, (requests / perHour) * hour);
}
