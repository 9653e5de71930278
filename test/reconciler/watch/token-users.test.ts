import { expect, test } from "vitest";
import { RateBudget, SharedRefreshes } from "../../../reconciler/watch/index.ts";
import { fairShare, TokenUsers } from "../../../reconciler/watch/token-users.ts";
import { TestClock } from "../fixture.ts";

const hour = 3_600_000;
const minute = 60_000;

test.each([
  // At the beginning of a window, each is sure of an equal share.
  [{ total: 200, others: [0, 0, 0], left: 1, sure: 1 }, 50],
  // What the others have not spent of the time that is over is for whoever needs it.
  [{ total: 200, others: [0, 0, 0], left: 0.5, sure: 1 }, 125],
  [{ total: 200, others: [0, 0, 0], left: 0, sure: 1 }, 200],
  // One that has spent more than its share leaves the rest of the shares to the others.
  [{ total: 200, others: [100, 0, 0], left: 1, sure: 1 }, 0],
  [{ total: 200, others: [100, 0, 0], left: 0.5, sure: 1 }, 50],
  // Of what is lent, more is there at once.
  [{ total: 600, others: [0, 0, 0], left: 1, sure: 0.5 }, 375],
  [{ total: 10, others: Array.from({ length: 99 }, () => 0), left: 1, sure: 1 }, 0],
])("of %j, one may spend %i", (claims, allowed) => {
  expect(fairShare(claims)).toBe(allowed);
});

/** Sources of one token with 1000 requests an hour, each of which wants as much as it says in each minute. */
function spend(desired: readonly number[]): number[] {
  const clock = new TestClock();
  const tokenUsers = new TokenUsers(clock);
  const all = desired.map(() => new RateBudget({ clock, interval: minute, tokenUsers }));
  const resetAt = new Date(clock.now() + hour);
  const spent = desired.map(() => 0);
  const budget = () => ({
    limit: 1000,
    remaining: 1000 - spent.reduce((sum, each) => sum + each, 0),
    resetAt,
  });
  for (const each of all) each.looked(0, budget());
  for (let time = 0; time < 60; time += 1) {
    for (const [index, rateBudget] of all.entries()) {
      const { spent: its = 0, allowed = 0 } = rateBudget.view()?.checking ?? {};
      const now = Math.max(0, Math.min(desired[index] ?? 0, allowed - its));
      spent[index] = (spent[index] ?? 0) + now;
      rateBudget.looked(now, budget());
    }
    clock.advance(minute - 1);
  }
  return spent;
}

test("a big source starves none: those that want little get it, and it gets what they leave", () => {
  const [big = 0, ...small] = spend([100, 0.5, 0.5, 0.5, 1, 1]);
  for (const each of small.slice(0, 3)) expect(each).toBeGreaterThanOrEqual(29);
  expect(Math.min(...small.slice(3))).toBeGreaterThan(30);
  expect(big).toBeGreaterThan(40);
  expect(big + small.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(200);
});

test("sources that all want more than there is get the same, and not more than the share of the token", () => {
  const spent = spend(Array.from({ length: 20 }, () => 10));
  expect(spent.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(200);
  expect(Math.min(...spent)).toBeGreaterThanOrEqual(9);
  expect(Math.max(...spent)).toBeLessThanOrEqual(11);
});

test("a source that comes late or has gone changes what the others may spend", () => {
  const clock = new TestClock();
  const tokenUsers = new TokenUsers(clock);
  const budget = { limit: 1000, remaining: 1000, resetAt: new Date(clock.now() + hour) };
  const first = new RateBudget({ clock, interval: minute, tokenUsers });
  first.looked(0, budget);
  expect(first.view()?.checking.allowed).toBe(200);
  const second = new RateBudget({ clock, interval: minute, tokenUsers });
  second.looked(0, budget);
  expect([first, second].map((each) => each.view()?.checking.allowed)).toEqual([100, 100]);
  second.close();
  expect(first.view()?.checking.allowed).toBe(200);
});

test("what a source has spent that has gone counts until its window ends, also when it comes back", () => {
  const clock = new TestClock();
  const tokenUsers = new TokenUsers(clock);
  const resetAt = new Date(clock.now() + hour);
  const [first, second] = [0, 1].map(() => new RateBudget({ clock, interval: minute, tokenUsers }));
  first?.looked(0, { limit: 1000, remaining: 1000, resetAt });
  second?.looked(60, { limit: 1000, remaining: 940, resetAt });
  second?.applied(30, { limit: 1000, remaining: 910, resetAt });
  second?.close();
  expect(first?.view()).toMatchObject({ checking: { allowed: 140 }, applying: { allowed: 570 } });
  expect(tokenUsers.isUntouched).toBe(false);
  const again = new RateBudget({ clock, interval: minute, tokenUsers });
  again.looked(0, { limit: 1000, remaining: 910, resetAt });
  expect(again.view()?.checking.allowed).toBe(70);
  clock.advance(hour);
  expect(first?.view()).toMatchObject({ checking: { allowed: 100 }, applying: { allowed: 450 } });
  again.close();
  expect(first?.view()).toMatchObject({ checking: { allowed: 200 }, applying: { allowed: 600 } });
});

test("a source whose part others have spent is read again in the next window", () => {
  const clock = new TestClock();
  const tokenUsers = new TokenUsers(clock);
  const resetAt = new Date(clock.now() + hour);
  const [first, second] = [0, 1].map(() => new RateBudget({ clock, interval: minute, tokenUsers }));
  second?.looked(0, { limit: 1000, remaining: 1000, resetAt });
  // It was alone, and has spent everything.
  second?.close();
  const again = new RateBudget({ clock, interval: minute, tokenUsers });
  again.looked(200, { limit: 1000, remaining: 800, resetAt });
  first?.looked(0, { limit: 1000, remaining: 800, resetAt });
  expect(first?.view()?.checking.allowed).toBe(0);
  expect(first?.nextLiveRead).toBe(resetAt.getTime());
  expect(first?.nextAudit).toBe(resetAt.getTime());
});

test("those that look together pay in turn for what is read for all, and can look more often than each alone", () => {
  const clock = new TestClock();
  const [tokenUsers, refreshes] = [new TokenUsers(clock), new SharedRefreshes(clock)];
  const budget = { limit: 1000, remaining: 1000, resetAt: new Date(clock.now() + hour) };
  const all = Array.from({ length: 20 }, () => new RateBudget({ clock, interval: minute, tokenUsers }));
  for (const each of all) each.looked(0, budget);
  expect(all[0]?.checkingBudget.interval).toBeGreaterThan(10 * minute);
  for (const each of all) each.share(refreshes);
  expect(all[0]?.checkingBudget.interval).toBe(minute);
  all[3]?.looked(25, budget, "all");
  all[3]?.looked(2, budget, "all");
  const spent = () => all.map((each) => each.view()?.checking.spent);
  expect(spent()).toEqual([...Array(7).fill(2), ...Array(13).fill(1)]);
  all[3]?.looked(5, budget);
  expect(spent()[3]).toBe(7);
});
