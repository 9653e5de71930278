import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RateBudget } from "../../../reconciler/watch/index.ts";
import { auditCost, checkingBudgetOf } from "../../../reconciler/watch/read-budget.ts";
import { chooseTurns } from "../../../reconciler/watch/rotation.ts";
import { randomOf } from "../../fixtures/simulated-time.ts";
import { TestClock } from "../fixture.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const minute = 60_000;
const hour = 3_600_000;

/** An allowance of 1,000 requests an hour, in a window that has just begun. */
function startRateBudget(interval = minute) {
  const clock = new TestClock();
  const rateBudget = new RateBudget({ clock, interval });
  const budget = { limit: 1000, remaining: 1000, resetAt: new Date(clock.now() + hour) };
  return { clock, rateBudget, budget };
}

test("while somebody looks or something deploys, reads are ten seconds apart as far as the share suffices", () => {
  const { clock, rateBudget, budget } = startRateBudget();
  rateBudget.looked(25, budget);
  expect(rateBudget.attention).toBeUndefined();
  expect([rateBudget.attend(), rateBudget.attend()]).toEqual([true, false]);
  let refreshes = 0;
  for (; rateBudget.attention !== undefined && refreshes < 1000; refreshes += 1) {
    expect(rateBudget.attention).toBe(clock.now() + 10_000);
    clock.advance(10_000);
    rateBudget.looked(2, budget);
    rateBudget.attend();
  }
  expect(refreshes).toBeGreaterThan(5);
  // What is kept back for events, and the usual reads, are left.
  const { spent, allowed } = rateBudget.view()?.checking ?? { spent: 0, allowed: 0 };
  expect(allowed - spent).toBeGreaterThan(100);
  expect(rateBudget.nextLiveRead).toBeGreaterThanOrEqual(clock.now() + 50_000);
  clock.advance(hour);
  rateBudget.looked(2, budget);
  expect(rateBudget.attention).toBeUndefined();
});

test("why reads are further apart than the interval is said once the quota is known", () => {
  const { rateBudget, budget } = startRateBudget(5000);
  expect(rateBudget.reasonForInterval).toBeUndefined();
  rateBudget.looked(2, budget);
  expect(rateBudget.reasonForInterval).toMatch(
    /^live resources are checked every 5\d s instead of 5 s: checks have 20 % of the quota of 1000 requests an hour \(budget_share\); during deployments/,
  );
  const usual = startRateBudget();
  usual.rateBudget.looked(2, usual.budget);
  expect(usual.rateBudget.reasonForInterval).toBeUndefined();
});

test("the share for drift checks says how often events are read, and within what time everything else", () => {
  const { clock, rateBudget, budget } = startRateBudget();
  rateBudget.looked(25, budget);
  rateBudget.measured(25);
  expect(rateBudget.view()).toEqual({
    checking: { spent: 25, allowed: 200 },
    applying: { spent: 0, allowed: 600 },
    interval: minute,
    period: 58 * minute,
  });
  expect(rateBudget.nextLiveRead).toBe(clock.now() + minute);
  // 60 looks and 12 audits leave 104 requests.
  rateBudget.measured(208);
  expect(rateBudget.view()).toMatchObject({ interval: minute, period: 2 * hour });
  // Of which events took half.
  rateBudget.named(52);
  expect(rateBudget.period).toBe(4 * hour);
});

test("events are read at their interval also when everything else is spent", () => {
  const { clock, rateBudget, budget } = startRateBudget();
  const { suspects } = rateBudget.checkingBudget;
  expect(suspects).toBe(Infinity);
  rateBudget.looked(1, budget);
  // The look that is over is one of the 60.
  expect(rateBudget.checkingBudget.suspects).toBe(103);
  rateBudget.looked(rateBudget.checkingBudget.suspects, budget);
  expect(rateBudget.checkingBudget).toMatchObject({ suspects: 0, unknown: 0 });
  for (let refreshes = 0; refreshes < 50; refreshes += 1) {
    expect(rateBudget.nextLiveRead - clock.now()).toBeLessThanOrEqual(1.05 * minute);
    clock.advance(rateBudget.nextLiveRead - clock.now());
    rateBudget.looked(1, budget);
  }
});

test.each([
  ["a share that suffices", 200, minute, minute],
  ["a look every ten seconds", 200, 10_000, 56_250],
  ["a small share", 40, minute, 5 * minute],
])("events and audits take no more than half of the share: %s", (_what, allowed, interval, expected) => {
  const checkingBudget = checkingBudgetOf({ allowed, spent: 0, end: hour, now: 0, interval });
  expect(checkingBudget.interval).toBe(expected);
  expect(checkingBudget.suspects).toBeGreaterThanOrEqual(allowed / 2);
});

test("whatever is read and however often the process starts, a window never takes more than the share", () => {
  const random = randomOf(3);
  for (const allowed of [5, 40, 200, 1000]) {
    let spent = 0;
    for (let now = 0; now < hour;) {
      const { interval, suspects } = checkingBudgetOf({ allowed, spent, end: hour, now, interval: minute });
      // The look itself, and as much as there is for what it has found.
      spent += 1 + Math.floor(suspects * random());
      // A restart looks at once.
      if (random() > 0.05) now += interval;
    }
    // Each start costs a look, even when nothing is left.
    expect(spent).toBeLessThanOrEqual(allowed + 5);
  }
});

test.each([
  [1, 1 / 60],
  [24, 2],
  [720, 60],
])(
  "in a window of %i hours, events are read every %f hours at least, and with the audits within the share",
  (hours, longest) => {
    let [spent, nextAudit, longestPause] = [0, 0, 0];
    const end = hours * hour;
    for (let now = 0; now < end;) {
      const { interval, auditInterval } = checkingBudgetOf({
        allowed: 200,
        spent,
        end,
        now,
        interval: minute,
      });
      spent += 1;
      if (now >= nextAudit) {
        spent += auditCost;
        nextAudit = now + auditInterval;
      }
      now += interval;
      longestPause = Math.max(longestPause, interval);
    }
    expect(longestPause / hour).toBeLessThanOrEqual(longest);
    // The last look may find that an audit is due.
    expect(spent).toBeLessThanOrEqual(200 + auditCost);
  },
);

test("environments that may have changed are read first, then the oldest, within the share", () => {
  const levels = Array.from({ length: 10 }, (_, index) => ({ id: String(index), read: 10 - index, cost: 3 }));
  const idsOf = (limits: { doubted: number; unknown: number; credit: number }) =>
    chooseTurns(levels, limits).ids.join("");
  expect(idsOf({ doubted: -Infinity, unknown: Infinity, credit: 7 })).toBe("98");
  expect(idsOf({ doubted: 4, unknown: 100, credit: 4 })).toBe("9876");
  expect(idsOf({ doubted: 4, unknown: 8, credit: 4 })).toBe("98");
  expect(idsOf({ doubted: Infinity, unknown: 30, credit: 0 })).toBe("9876543210");
  expect(idsOf({ doubted: -Infinity, unknown: 2, credit: 100 })).toBe("");
});

test("after a restart, the requests spent before it count, up to the number that the server reports", async () => {
  const { clock, budget } = startRateBudget();
  const folder = temporaryFolder("quota");
  const file = join(folder, "quota.json");
  const start = async () => {
    const rateBudget = new RateBudget({ clock, interval: minute, file });
    await rateBudget.open();
    return rateBudget;
  };
  const first = await start();
  first.looked(1, { ...budget, remaining: 999 });
  first.looked(49, { ...budget, remaining: 900 });
  first.applied(30, budget);
  // It is killed while it reads.
  await first.keep(40);
  const second = await start();
  second.looked(1, { ...budget, remaining: 889 });
  expect(second.view()).toMatchObject({ checking: { spent: 91 } });
  await second.keep();
  // The server knows of fewer requests.
  const third = await start();
  third.looked(1, { ...budget, remaining: 940 });
  expect(third.view()).toMatchObject({ checking: { spent: 60 } });
  // Without the file, all requests of the token may have been its own.
  rmSync(file);
  const fourth = await start();
  fourth.looked(1, { ...budget, remaining: 700 });
  expect(fourth.view()).toMatchObject({ checking: { spent: 300 } });
  expect(fourth.checkingBudget.suspects).toBe(0);
  // Unless no process was there before: then others have spent them.
  rmSync(file, { force: true });
  const newcomer = new RateBudget({ clock, interval: minute, file });
  await newcomer.open(true);
  newcomer.looked(1, { ...budget, remaining: 700 });
  expect(newcomer.view()).toMatchObject({ checking: { spent: 1 } });
  clock.advance(hour);
  expect((await start()).view()).toBeUndefined();
});

test("a plan that exceeds the share for applying waits for the next window", () => {
  const { clock, rateBudget, budget } = startRateBudget();
  expect(rateBudget.affordable(budget)).toBe(Infinity);
  rateBudget.applied(500, budget);
  expect(rateBudget.affordable(budget)).toBe(100);
  clock.advance(hour);
  expect(rateBudget.affordable({})).toBe(Infinity);
});

test("the end of a window may move by seconds without a new window", () => {
  const { rateBudget, budget } = startRateBudget();
  rateBudget.applied(10, budget);
  rateBudget.applied(10, { ...budget, resetAt: new Date(budget.resetAt.getTime() + 1000) });
  expect(rateBudget.view()).toMatchObject({ applying: { spent: 20 } });
});

test("a server that declares no quota limits nothing", () => {
  const { clock, rateBudget } = startRateBudget();
  rateBudget.looked(5000, {});
  expect(rateBudget.view()).toBeUndefined();
  expect(rateBudget.nextLiveRead).toBe(clock.now() + minute);
  expect(rateBudget.affordable({})).toBe(Infinity);
});
