import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RateBudget } from "../../../reconciler/watch/index.ts";
import { auditCost, lookingBudgetOf } from "../../../reconciler/watch/read-budget.ts";
import { chooseTurns } from "../../../reconciler/watch/rotation.ts";
import { randomOf } from "../../fixtures/simulated-time.ts";
import { TestClock } from "../fixture.ts";

const minute = 60_000;
const hour = 3_600_000;

/** An allowance of 1,000 requests an hour, in a window that has just begun. */
function startAllowance(interval = minute) {
  const clock = new TestClock();
  const allowance = new RateBudget({ clock, interval });
  const budget = { limit: 1000, remaining: 1000, resetAt: new Date(clock.now() + hour) };
  return { clock, allowance, budget };
}

test("while somebody looks or something deploys, reads are ten seconds apart as far as the share suffices", () => {
  const { clock, allowance, budget } = startAllowance();
  allowance.looked(25, budget);
  expect(allowance.attention).toBeUndefined();
  expect([allowance.attend(), allowance.attend()]).toEqual([true, false]);
  let looks = 0;
  for (; allowance.attention !== undefined && looks < 1000; looks += 1) {
    expect(allowance.attention).toBe(clock.now() + 10_000);
    clock.advance(10_000);
    allowance.looked(2, budget);
    allowance.attend();
  }
  expect(looks).toBeGreaterThan(5);
  // What is kept back for events, and the usual reads, are left.
  const { spent, allowed } = allowance.view()?.looking ?? { spent: 0, allowed: 0 };
  expect(allowed - spent).toBeGreaterThan(100);
  expect(allowance.nextLiveRead).toBeGreaterThanOrEqual(clock.now() + 50_000);
  clock.advance(hour);
  allowance.looked(2, budget);
  expect(allowance.attention).toBeUndefined();
});

test("why reads are further apart than the interval is said once the quota is known", () => {
  const { allowance, budget } = startAllowance(5000);
  expect(allowance.reasonForInterval).toBeUndefined();
  allowance.looked(2, budget);
  expect(allowance.reasonForInterval).toMatch(
    /^live resources are checked every 5\d s instead of 5 s: checks have 20 % of the quota of 1000 requests an hour \(budget_share\); while/,
  );
  const usual = startAllowance();
  usual.allowance.looked(2, usual.budget);
  expect(usual.allowance.reasonForInterval).toBeUndefined();
});

test("the share for drift checks says how often events are read, and within what time everything else", () => {
  const { clock, allowance, budget } = startAllowance();
  allowance.looked(25, budget);
  allowance.measured(25);
  expect(allowance.view()).toEqual({
    looking: { spent: 25, allowed: 200 },
    applying: { spent: 0, allowed: 600 },
    interval: minute,
    period: 58 * minute,
  });
  expect(allowance.nextLiveRead).toBe(clock.now() + minute);
  // 60 looks and 12 audits leave 104 requests.
  allowance.measured(208);
  expect(allowance.view()).toMatchObject({ interval: minute, period: 2 * hour });
  // Of which events took half.
  allowance.named(52);
  expect(allowance.period).toBe(4 * hour);
});

test("events are read at their interval also when everything else is spent", () => {
  const { clock, allowance, budget } = startAllowance();
  const { suspects } = allowance.lookingBudget;
  expect(suspects).toBe(Infinity);
  allowance.looked(1, budget);
  // The look that is over is one of the 60.
  expect(allowance.lookingBudget.suspects).toBe(103);
  allowance.looked(allowance.lookingBudget.suspects, budget);
  expect(allowance.lookingBudget).toMatchObject({ suspects: 0, unknown: 0 });
  for (let looks = 0; looks < 50; looks += 1) {
    expect(allowance.nextLiveRead - clock.now()).toBeLessThanOrEqual(1.05 * minute);
    clock.advance(allowance.nextLiveRead - clock.now());
    allowance.looked(1, budget);
  }
});

test.each([
  ["a share that suffices", 200, minute, minute],
  ["a look every ten seconds", 200, 10_000, 56_250],
  ["a small share", 40, minute, 5 * minute],
])("events and audits take no more than half of the share: %s", (_what, allowed, interval, expected) => {
  const lookingBudget = lookingBudgetOf({ allowed, spent: 0, end: hour, now: 0, interval });
  expect(lookingBudget.interval).toBe(expected);
  expect(lookingBudget.suspects).toBeGreaterThanOrEqual(allowed / 2);
});

test("whatever is read and however often the process starts, a window never takes more than the share", () => {
  const random = randomOf(3);
  for (const allowed of [5, 40, 200, 1000]) {
    let spent = 0;
    for (let now = 0; now < hour;) {
      const { interval, suspects } = lookingBudgetOf({ allowed, spent, end: hour, now, interval: minute });
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
      const { interval, auditInterval } = lookingBudgetOf({
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
  const { clock, budget } = startAllowance();
  const folder = mkdtempSync(join(tmpdir(), "infrasync-quota-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "quota.json");
  const start = async () => {
    const allowance = new RateBudget({ clock, interval: minute, file });
    await allowance.open();
    return allowance;
  };
  const first = await start();
  first.looked(1, { ...budget, remaining: 999 });
  first.looked(49, { ...budget, remaining: 900 });
  first.applied(30, budget);
  // It is killed while it reads.
  await first.keep(40);
  const second = await start();
  second.looked(1, { ...budget, remaining: 889 });
  expect(second.view()).toMatchObject({ looking: { spent: 91 } });
  await second.keep();
  // The server knows of fewer requests.
  const third = await start();
  third.looked(1, { ...budget, remaining: 940 });
  expect(third.view()).toMatchObject({ looking: { spent: 60 } });
  // Without the file, all requests of the token may have been its own.
  rmSync(file);
  const fourth = await start();
  fourth.looked(1, { ...budget, remaining: 700 });
  expect(fourth.view()).toMatchObject({ looking: { spent: 300 } });
  expect(fourth.lookingBudget.suspects).toBe(0);
  // Unless no process was there before: then others have spent them.
  rmSync(file, { force: true });
  const newcomer = new RateBudget({ clock, interval: minute, file, isFirst: true });
  await newcomer.open();
  newcomer.looked(1, { ...budget, remaining: 700 });
  expect(newcomer.view()).toMatchObject({ looking: { spent: 1 } });
  clock.advance(hour);
  expect((await start()).view()).toBeUndefined();
});

test("a plan that exceeds the share for applying waits for the next window", () => {
  const { clock, allowance, budget } = startAllowance();
  expect(allowance.affordable(budget)).toBe(Infinity);
  allowance.applied(500, budget);
  expect(allowance.affordable(budget)).toBe(100);
  clock.advance(hour);
  expect(allowance.affordable({})).toBe(Infinity);
});

test("the end of a window may move by seconds without a new window", () => {
  const { allowance, budget } = startAllowance();
  allowance.applied(10, budget);
  allowance.applied(10, { ...budget, resetAt: new Date(budget.resetAt.getTime() + 1000) });
  expect(allowance.view()).toMatchObject({ applying: { spent: 20 } });
});

test("a server that declares no quota limits nothing", () => {
  const { clock, allowance } = startAllowance();
  allowance.looked(5000, {});
  expect(allowance.view()).toBeUndefined();
  expect(allowance.nextLiveRead).toBe(clock.now() + minute);
  expect(allowance.affordable({})).toBe(Infinity);
});
