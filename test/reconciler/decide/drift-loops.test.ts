import { expect, test } from "vitest";
import type { Action } from "../../../core/planning/plan/index.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { driftLoopOver, undoneTo, withUndone } from "../../../reconciler/decide/drift-loops.ts";
import type { Undone } from "../../../reconciler/decide/index.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-22T12:00:00Z");

const update = {
  type: "update",
  address: { kind: kindOf("Job"), names: ["shop", "staging", "a"] },
  changes: [{ path: ["cpu"], before: 750, after: 500 }],
} as unknown as Action;

const documents = new Map([["job:shop/staging/a", { digest: "one" }]]);

/** The pauses, in minutes, after each time when a field is undone as soon as it may be. */
function pauses(times: number): number[] {
  let undone: Record<string, Undone> = {};
  let now = start;
  return Array.from({ length: times }, () => {
    undone = withUndone(undone, [update], documents, now);
    const driftLoop = driftLoopOver(update, undone, now);
    const pause = driftLoop ? Date.parse(driftLoop.until) - now : 0;
    now += pause;
    expect(driftLoopOver(update, undone, now)).toBeUndefined();
    return pause / minute;
  });
}

test("the pauses of a drift loop double from 5 minutes to 6 hours, and stay there", () => {
  expect(pauses(12)).toEqual([0, 0, 5, 10, 20, 40, 80, 160, 320, 360, 360, 360]);
});

test("a field that is undone twice a day never waits, and a quiet day ends a drift loop", () => {
  let undone: Record<string, Undone> = {};
  for (let time = 0; time < 10; time += 1) {
    undone = withUndone(undone, [update], documents, start + time * 12 * hour);
    expect(driftLoopOver(update, undone, start + time * 12 * hour)).toBeUndefined();
  }
  const fought = [0, 1, 2, 3].reduce(
    (before, time) => withUndone(before, [update], documents, start + time * 10 * minute),
    {},
  );
  const later = withUndone(fought, [update], documents, start + 30 * hour);
  expect(driftLoopOver(update, later, start + 30 * hour)).toBeUndefined();
  expect(withUndone(fought, [], documents, start + 30 * hour)).toEqual({});
});

test("a drift loop ends with another document of the resource, and not with one of another resource", () => {
  const fought = [0, 1, 2].reduce(
    (before, time) => withUndone(before, [update], documents, start + time * minute),
    {},
  );
  const at = start + 3 * minute;
  const other = new Map([...documents, ["job:shop/staging/b", { digest: "new" }]]);
  expect(driftLoopOver(update, undoneTo(fought, other), at)).toBeDefined();
  expect(
    driftLoopOver(update, undoneTo(fought, new Map([["job:shop/staging/a", { digest: "two" }]])), at),
  ).toBe(undefined);
});
