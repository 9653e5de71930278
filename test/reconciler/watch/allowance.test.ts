import { expect, test } from "vitest";
import { Allowance } from "../../../reconciler/watch/index.ts";
import { TestClock } from "../fixture.ts";

const minute = 60_000;
const hour = 3_600_000;

/** An allowance of 1,000 requests an hour, in a window that has just begun. */
function startAllowance(interval = minute) {
  const clock = new TestClock();
  const allowance = new Allowance({ clock, interval });
  const budget = { limit: 1000, remaining: 1000, resetAt: new Date(clock.now() + hour) };
  return { clock, allowance, budget };
}

test("looks come as often as set while their share of the quota suffices", () => {
  const { clock, allowance, budget } = startAllowance();
  allowance.looked(25, 25, budget);
  expect(allowance.view()).toEqual({
    looking: { spent: 25, allowed: 200 },
    applying: { spent: 0, allowed: 600 },
    interval: minute,
    stretch: 1,
  });
  expect(allowance.nextLiveRead).toBe(clock.now() + minute);
});

test("where the share for looking does not suffice, the intervals stretch", () => {
  const { clock, allowance, budget } = startAllowance(10_000);
  // 360 looks, 36 requests for audits and 4 lists an hour, where 200 - 5 are left.
  allowance.looked(5, 4, budget);
  expect(allowance.stretch).toBeCloseTo(400 / 195);
  expect(allowance.nextLiveRead).toBe(clock.now() + (10_000 * 400) / 195);
});

test("when the share for looking is spent, the next look comes with the next window", () => {
  const { clock, allowance, budget } = startAllowance();
  clock.advance(hour / 2);
  allowance.looked(200, 180, budget);
  expect(allowance.nextLiveRead).toBe(clock.now() + hour / 2);
  clock.advance(hour / 2);
  allowance.looked(1, 20, { ...budget, resetAt: new Date(clock.now() + hour) });
  expect(allowance.view()).toMatchObject({ looking: { spent: 1 }, stretch: 1 });
  expect(allowance.nextLiveRead).toBe(clock.now() + minute);
});

test("an hour of looks never exceeds its share, however much each costs", () => {
  const { clock, allowance, budget } = startAllowance();
  const end = clock.now() + hour;
  let spent = 0;
  while (clock.now() < end) {
    // A storm of events: each look reads nine environments again.
    allowance.looked(10, 30, budget);
    spent += 10;
    clock.advance(Math.max(minute, allowance.nextLiveRead - clock.now()));
  }
  expect(spent).toBeLessThanOrEqual(200);
  expect(spent).toBeGreaterThan(100);
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

test("a server that states no quota limits nothing", () => {
  const { clock, allowance } = startAllowance();
  allowance.looked(5000, 5000, {});
  expect(allowance.view()).toBeUndefined();
  expect(allowance.nextLiveRead).toBe(clock.now() + minute);
  expect(allowance.affordable({})).toBe(Infinity);
});
