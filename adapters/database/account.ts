import type { Settlement, Purpose, Spender } from "../../core/api/index.ts";

/** The percentages of each window of the quota that a service may spend on a purpose; the rest is for people. */
export interface BudgetShares {
  /** Comparing live resources with the commit. */
  checking: number;
  /** Changing them. */
  applying: number;
}

/** The account of a token: a plain value. Times are in milliseconds since 1970, by one clock for all. */
export interface Account {
  /** The quota of a window; null: the server does not tell, undefined: not asked yet. */
  limit?: number | null;
  /** The end of the newest window, by the clock of the server, in seconds since 1970. */
  reset: number;
  /** When the window ends, and whether the server has said so. */
  end?: number;
  isReported: boolean;
  /** Requests of the window by the server's newest figure. */
  used: number;
  /** All requests that the server may have counted without an answer, and the number of those in a later figure. */
  unclear: number;
  cleared: number;
  /** A request that is entered and not settled. */
  pending: Record<
    string,
    {
      /** When it was entered, in milliseconds since 1970. */
      at: number;
      who: string;
      purpose: Purpose;
      /** The unclear requests at its entry, which the server has counted before this one. */
      unclear: number;
    }
  >;
  /** Requests of the window by sender and purpose. */
  spent: Record<string, Partial<Record<Purpose, number>>>;
}

export const emptyAccount: Account = {
  reset: 0,
  isReported: false,
  used: 0,
  unclear: 0,
  cleared: 0,
  pending: {},
  spent: {},
};

export type AccountEvent =
  | { type: "enter"; id: string; who: string; purpose: Purpose; shares: BudgetShares }
  | { type: "settle"; id: string; outcome: Settlement };

/** The verdict on an entry. `later`: requests under way decide; `refused`: no request is left for its purpose. */
export type AccountVerdict =
  | { kind: "entered" }
  | { kind: "later" }
  | { kind: "refused"; left: number; limit: number };

const hour = 3_600_000;
/** Milliseconds added to the end of a window, because the server tells whole seconds. */
const margin = 1000;
/** Ends of windows that differ by fewer seconds are one window: some servers compute the end for each answer. */
const sameWindow = 5;
/** Milliseconds after which the process of an unsettled request counts as dead. */
const longestRequest = 120_000;
/** Milliseconds for which other requests wait for the answer to a token's first request. */
const longestFirst = 5000;

/** The account after an event, and the verdict on the entry of the event. Pure: the given account stays unchanged. */
export function after(
  account: Account,
  event: AccountEvent,
  now: number,
): { account: Account; verdict?: AccountVerdict } {
  const current = rolled(account, now);
  if (event.type === "settle") return { account: settled(current, event, now) };
  const verdict = verdictOn(current, event, now);
  return { account: verdict.kind === "entered" ? entered(current, event, now) : current, verdict };
}

/** The spenders and their requests, the largest first; requests from outside the ledger come last. */
export function spendersOf({ spent, used }: Account): Spender[] {
  const known = Object.entries(spent)
    .map(([who, by]) => ({ who, requests: sum(Object.values(by)) }))
    .filter(({ requests }) => requests > 0)
    .toSorted((left, right) => right.requests - left.requests);
  const others = used - sum(known.map(({ requests }) => requests));
  return others > 0 ? [...known, { who: undefined, requests: others }] : known;
}

/** Requests that everybody except the named spenders has sent for a purpose. */
export function spentBeside({ spent }: Account, own: ReadonlySet<string>, purpose: Purpose): number[] {
  return Object.entries(spent).flatMap(([who, by]) => (own.has(who) ? [] : (by[purpose] ?? [])));
}

/** Begins a new window after the end of the old one, and drops requests of dead processes. */
function rolled(account: Account, now: number): Account {
  const lost = Object.entries(account.pending).filter(([, { at }]) => at < now - longestRequest);
  const pending = { ...account.pending };
  for (const [id] of lost) delete pending[id];
  const next = { ...account, pending, unclear: account.unclear + lost.length };
  const isOver = account.end !== undefined && now >= account.end + margin;
  return isOver ? { ...started(next), end: now + hour, isReported: false } : next;
}

function started(account: Account): Account {
  return { ...account, used: 0, cleared: account.unclear, spent: expected(account.spent) };
}

/** The entries of a new window: nothing is spent, but every spender of the last one has an entry and so a part. */
function expected(spent: Account["spent"]): Account["spent"] {
  const all = Object.entries(spent).map(([who, by]) => {
    const its = Object.entries(by).filter(([, requests]) => requests > 0);
    return [who, Object.fromEntries(its.map(([purpose]) => [purpose, 0]))] as const;
  });
  return Object.fromEntries(all.filter(([, by]) => Object.keys(by).length > 0));
}

function verdictOn(account: Account, { purpose, shares }: EnterEvent, now: number): AccountVerdict {
  const { limit, used, unclear, cleared } = account;
  const pending = Object.values(account.pending);
  if (limit === null) return { kind: "entered" };
  if (limit === undefined)
    return pending.some(({ at }) => at > now - longestFirst) ? { kind: "later" } : { kind: "entered" };
  const room = limit - reservedFrom(account, limit, purpose, shares) - used - (unclear - cleared);
  if (room > pending.length) return { kind: "entered" };
  if (room > 0) return { kind: "later" };
  return { kind: "refused", left: (account.end ?? now) + margin - now, limit };
}

type EnterEvent = Extract<AccountEvent, { type: "enter" }>;

/** Requests of a window that are reserved for purposes with precedence: people always, and changes before drift checks. */
function reservedFrom(
  account: Account,
  limit: number,
  purpose: Purpose,
  { checking, applying }: BudgetShares,
): number {
  const rest = (percent: number, of: Purpose) =>
    Math.max(0, Math.ceil((limit * percent) / 100) - sum(spentBeside(account, new Set(), of)));
  const forPeople = purpose === "people" ? 0 : rest(Math.max(0, 100 - checking - applying), "people");
  return forPeople + (purpose === "checking" ? rest(applying, "applying") : 0);
}

function entered(account: Account, { id, who, purpose }: EnterEvent, now: number): Account {
  return {
    ...account,
    end: account.end ?? now + hour,
    pending: { ...account.pending, [id]: { at: now, who, purpose, unclear: account.unclear } },
    spent: counted(account.spent, who, purpose, 1),
  };
}

function counted(spent: Account["spent"], who: string, purpose: Purpose, by: number): Account["spent"] {
  const its = spent[who] ?? {};
  return { ...spent, [who]: { ...its, [purpose]: Math.max(0, (its[purpose] ?? 0) + by) } };
}

function settled(
  account: Account,
  { id, outcome }: Extract<AccountEvent, { type: "settle" }>,
  now: number,
): Account {
  const { [id]: own, ...pending } = account.pending;
  const without: Account = { ...account, pending };
  if (outcome.kind === "unsent")
    return own ? { ...without, spent: counted(account.spent, own.who, own.purpose, -1) } : without;
  const limit = outcome.kind === "reported" ? (outcome.limit ?? account.limit) : undefined;
  if (outcome.kind === "silent" || typeof limit !== "number") {
    const isNamed = typeof account.limit === "number" || (outcome.kind === "silent" && !outcome.isAnswer);
    // A dropped request has been counted as unclear already.
    return { ...without, unclear: account.unclear + (own ? 1 : 0), ...(!isNamed && { limit: null }) };
  }
  const { window, remaining } = outcome;
  const reset = window?.reset ?? account.reset;
  const isOld = window && reset < account.reset - sameWindow;
  // The answer belongs to the previous window; the next one has already started.
  const isPast = window && !account.isReported && account.reset > 0 && reset <= account.reset + sameWindow;
  if (isOld || isPast) return without;
  const isNew = account.isReported && reset > account.reset + sameWindow;
  const base = isNew ? started(without) : without;
  return {
    ...base,
    limit,
    reset: Math.max(reset, account.reset),
    ...(window && { isReported: true, end: endOf(base, now + window.left, isNew) }),
    used: Math.max(base.used, limit - remaining),
    cleared: Math.max(base.cleared, own?.unclear ?? 0),
  };
}

/** The latest end that the answers of one window give, because the server counts from whole seconds. */
function endOf({ end, isReported }: Account, reported: number, isNew: boolean): number {
  return isReported && !isNew && end !== undefined ? Math.max(end, reported) : reported;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
