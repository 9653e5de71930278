import fc from "fast-check";
import { expect, test } from "vitest";
import type { Settlement, Purpose } from "../../../core/api/index.ts";
import {
  type Account,
  type AccountEvent,
  after,
  emptyAccount,
  spendersOf,
  spentBeside,
} from "../../../adapters/database/account.ts";
import { seed, tries } from "../../fixtures/random-cases.ts";

const shares = { checking: 20, applying: 60 };
const hour = 3_600_000;
const second = 1000;

/** A server with a quota of a fixed window, whose clock is ahead of that of the database. */
class Server {
  readonly #limit: number;
  readonly #ahead: number;
  #ends = 0;
  spent = 0;
  refused = 0;

  constructor(limit: number, ahead: number) {
    this.#limit = limit;
    this.#ahead = ahead;
  }

  take(now: number): Settlement {
    const clock = now + this.#ahead;
    if (clock >= this.#ends) {
      this.#ends = Math.ceil((clock + hour) / second) * second;
      this.spent = 0;
    }
    if (this.spent >= this.#limit) this.refused += 1;
    else this.spent += 1;
    const reset = this.#ends / second;
    // The header of the time has whole seconds.
    const left = this.#ends - Math.floor(clock / second) * second;
    return {
      kind: "reported",
      limit: this.#limit,
      remaining: this.#limit - this.spent,
      window: { reset, left },
    };
  }
}

/** What one of the processes does next, which of its requests under way it concerns, and how long after the last deed. */
const operation = fc.record({
  type: fc.constantFrom("enter", "enter", "enter", "arrive", "arrive", "answer", "answer", "break", "die"),
  purpose: fc.constantFrom<Purpose>("people", "applying", "checking"),
  which: fc.nat(50),
  pause: fc.oneof(
    { weight: 30, arbitrary: fc.nat(300) },
    { weight: 1, arbitrary: fc.integer({ min: hour / 3, max: hour }) },
  ),
});

interface UnderWay {
  id: string;
  purpose: Purpose;
  outcome?: Settlement;
}

test("however requests of several processes cross, break and die, the server never counts one above the quota", () => {
  let entries = 0;
  let refusals = 0;
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 20, maxLength: 250 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: -60_000, max: 60_000 }),
      (operations, limit, ahead) => {
        const server = new Server(limit, ahead);
        let now = 1_800_000_000_000;
        // The quota is known from the first answer on.
        let { account } = spend(emptyAccount, server, "first", "people", now, 1);
        const underWay: UnderWay[] = [];
        for (const [number, { type, purpose, which, pause }] of operations.entries()) {
          now += pause;
          // Requests are answered, or given up, within a minute.
          if (pause > 60_000)
            for (const { id, outcome } of underWay.splice(0)) {
              const silent = { kind: "silent", isAnswer: false } as const;
              ({ account } = after(account, { type: "settle", id, outcome: outcome ?? silent }, now - pause));
            }
          const index = which % Math.max(1, underWay.length);
          const chosen = underWay[index];
          if (type === "enter") {
            const id = String(number);
            const next = after(account, { type: "enter", id, who: `p${which % 3}`, purpose, shares }, now);
            account = next.account;
            if (next.verdict?.kind === "entered") underWay.push({ id, purpose });
            if (next.verdict?.kind === "entered") entries += 1;
            if (next.verdict?.kind === "refused") refusals += 1;
          } else if (type === "arrive" && chosen && !chosen.outcome) chosen.outcome = server.take(now);
          else if (chosen && ["answer", "break", "die"].includes(type)) {
            underWay.splice(index, 1);
            if (type === "die") continue;
            const unsent = { kind: "unsent" } as const;
            const silent = { kind: "silent", isAnswer: false } as const;
            const outcome =
              type === "break" ? (chosen.outcome ? silent : unsent) : (chosen.outcome ??= server.take(now));
            ({ account } = after(account, { type: "settle", id: chosen.id, outcome }, now));
          }
          expect(server.refused).toBe(0);
        }
      },
    ),
    { seed, numRuns: tries(300) },
  );
  expect(entries).toBeGreaterThan(1000);
  expect(refusals).toBeGreaterThan(100);
});

/** Sends as many requests as the account allows, one after the other. */
function spend(account: Account, server: Server, who: string, purpose: Purpose, now: number, most = 1000) {
  let sent = 0;
  for (; sent < most; sent += 1) {
    const id = `${who}${sent}`;
    const next = after(account, { type: "enter", id, who, purpose, shares }, now);
    if (next.verdict?.kind !== "entered") return { account, sent, verdict: next.verdict };
    ({ account } = after(next.account, { type: "settle", id, outcome: server.take(now) }, now));
  }
  return { account, sent, verdict: undefined };
}

test("looking leaves the shares of applying and of people, applying leaves that of people, and people may spend all", () => {
  const server = new Server(100, 0);
  const now = 1_800_000_000_000;
  const looked = spend(emptyAccount, server, "worker", "checking", now);
  expect(looked.sent).toBe(20);
  const applied = spend(looked.account, server, "worker", "applying", now);
  expect(applied.sent).toBe(60);
  const person = spend(applied.account, server, "ada", "people", now);
  expect(person.sent).toBe(20);
  expect(person.verdict).toMatchObject({ kind: "refused", limit: 100 });
  expect(spendersOf(person.account)).toEqual([
    { who: "worker", requests: 80 },
    { who: "ada", requests: 20 },
  ]);
  // The next window begins when the server says so, and a second later.
  expect(spend(person.account, server, "worker", "checking", now + hour).sent).toBe(0);
  expect(spend(person.account, server, "worker", "checking", now + hour + 2 * second).sent).toBe(20);
});

test("a late answer of the previous window does not change the new one", () => {
  const server = new Server(100, 0);
  const now = 1_800_000_000_000;
  const { account } = spend(emptyAccount, server, "ada", "people", now, 90);
  const enter = { type: "enter", id: "late", who: "ada", purpose: "people", shares } as const;
  const late = after(account, enter, now + hour - second);
  const outcome = server.take(now + hour - second);
  const started = after(late.account, { ...enter, id: "new" }, now + hour + 2 * second);
  const { account: last } = after(
    started.account,
    { type: "settle", id: "late", outcome },
    now + hour + 2 * second,
  );
  expect(last).toMatchObject({ used: 0, isReported: false });
});

/** How many more requests the account enters at the same time. */
function roomOf(account: Account, now: number): number {
  const enter = { type: "enter", who: "ada", purpose: "people", shares } as const;
  for (let current = account, entered = 0; ; entered += 1) {
    const next = after(current, { ...enter, id: `room${entered}` }, now);
    if (next.verdict?.kind !== "entered") return entered;
    current = next.account;
  }
}

test("a request without an answer counts until a request that was entered later is answered", () => {
  const server = new Server(10, 0);
  const now = 1_800_000_000_000;
  let { account } = spend(emptyAccount, server, "first", "people", now, 1);
  const happens = (event: AccountEvent) => void ({ account } = after(account, event, now));
  const enter = (id: string) => happens({ type: "enter", id, who: "ada", purpose: "people", shares });
  const settle = (id: string, outcome: Settlement) => happens({ type: "settle", id, outcome });
  for (const id of ["early", "broken"]) enter(id);
  const early = server.take(now);
  server.take(now);
  settle("broken", { kind: "silent", isAnswer: false });
  // The server counted this one before the broken one.
  settle("early", early);
  expect(roomOf(account, now)).toBe(7);
  enter("late");
  settle("late", server.take(now));
  expect(roomOf(account, now)).toBe(6);
  expect(account).toMatchObject({ used: 4, unclear: 1, cleared: 1 });
});

test("a request under way is that of a dead process after two minutes, and then the server may have counted it", () => {
  const now = 1_800_000_000_000;
  const { account } = spend(emptyAccount, new Server(10, 0), "first", "people", now, 1);
  const enter = { type: "enter", id: "slow", who: "ada", purpose: "people", shares } as const;
  const entered = after(account, enter, now).account;
  const later = (milliseconds: number) =>
    after(entered, { ...enter, id: "next" }, now + milliseconds).account;
  expect(later(120_000)).toMatchObject({ unclear: 0, pending: { slow: {}, next: {} } });
  expect(later(120_001)).toMatchObject({ unclear: 1, pending: { next: { unclear: 1 } } });
  expect(later(120_001).pending).not.toHaveProperty("slow");
  // It was of the window that has ended since.
  expect(later(hour + 2 * second)).toMatchObject({ unclear: 1, cleared: 1 });
});

test("ends of a window that differ by up to five seconds are those of one window, and later ones those of the next", () => {
  const now = 1_800_000_000_000;
  const reported = (account: Account, id: string, reset: number, remaining = 90) => {
    const { account: entered } = after(
      account,
      { type: "enter", id, who: id, purpose: "people", shares },
      now,
    );
    const window = { reset, left: reset * second - now };
    const outcome = { kind: "reported", limit: 100, remaining, window } as const;
    return after(entered, { type: "settle", id, outcome }, now).account;
  };
  const end = now / second + 3600;
  const one = reported(reported(emptyAccount, "a", end), "b", end + 5);
  expect(spendersOf(one).map(({ who }) => who)).toEqual(["a", "b", undefined]);
  expect(one.end).toBe((end + 5) * second);
  expect(reported(one, "c", end).end).toBe((end + 5) * second);
  // The server has begun a new window before the end that it had named.
  const next = reported(one, "c", end + 11);
  expect(next).toMatchObject({ spent: {}, used: 10, end: (end + 11) * second });
  // A late answer of the window before it.
  expect(reported(next, "d", end, 50)).toMatchObject({ used: 10 });
});

test("requests that people send reduce the part kept for people, and requests from outside the ledger count", () => {
  const server = new Server(100, 0);
  const now = 1_800_000_000_000;
  for (let other = 0; other < 10; other += 1) server.take(now);
  const person = spend(emptyAccount, server, "ada", "people", now, 50);
  const applied = spend(person.account, server, "worker", "applying", now);
  expect(applied.sent).toBe(40);
  expect(spendersOf(applied.account)).toEqual([
    { who: "ada", requests: 50 },
    { who: "worker", requests: 40 },
    { who: undefined, requests: 10 },
  ]);
});

test("a server that says nothing about a quota refuses nothing, and the first request of a token goes alone", () => {
  const now = 1_800_000_000_000;
  const enter = (id: string) => ({ type: "enter", id, who: "a", purpose: "checking", shares }) as const;
  const first = after(emptyAccount, enter("1"), now);
  expect(first.verdict).toEqual({ kind: "entered" });
  expect(after(first.account, enter("2"), now).verdict).toEqual({ kind: "later" });
  expect(after(first.account, enter("2"), now + 5000).verdict).toEqual({ kind: "entered" });
  const outcome = { kind: "silent", isAnswer: true } as const;
  const { account } = after(first.account, { type: "settle", id: "1", outcome }, now);
  const next = after(account, enter("2"), now);
  expect(after(next.account, enter("3"), now).verdict).toEqual({ kind: "entered" });
});

test("a spender of one window has a part of the next from its beginning, and of later ones only if it spends again", () => {
  const server = new Server(100, 0);
  const now = 1_800_000_000_000;
  const others = (account: Account) => spentBeside(account, new Set(["a"]), "checking");
  const both = spend(
    spend(emptyAccount, server, "a", "checking", now, 3).account,
    server,
    "b",
    "checking",
    now,
    2,
  );
  expect(others(both.account)).toEqual([2]);
  const next = spend(both.account, server, "a", "checking", now + 2 * hour, 1);
  expect(others(next.account)).toEqual([0]);
  expect(spendersOf(next.account)).toEqual([{ who: "a", requests: 1 }]);
  expect(others(spend(next.account, server, "a", "checking", now + 4 * hour, 1).account)).toEqual([]);
});
