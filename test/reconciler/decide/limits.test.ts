import { describe, expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { defaultCaps, makeAction } from "../../../core/planning/plan/index.ts";
import {
  type Deletion,
  type DeletionLedger,
  deletionLimits,
  limitProblems,
  withStarted,
  withDone,
} from "../../../reconciler/decide/deletions.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const day = 86_400_000;

/** A plan that deletes so many jobs: `job-0`, `job-1` … */
const plan = (count: number) => ({
  actions: Array.from({ length: count }, (_, index) =>
    makeAction({
      type: "delete",
      address: { kind: kindOf("Job"), names: ["shop", "staging", `job-${index}`] },
      parent: { id: "staging" },
      resourceId: String(index),
    }),
  ),
});

/** An earlier deletion, by the same commit an hour ago. */
const earlier = (more: Partial<Deletion> = {}): Deletion => ({
  at: now - 3_600_000,
  tree: "tree",
  title: "job:shop/staging/old",
  isDone: true,
  ...more,
});
const ledger = (deletions: readonly Deletion[], more: Partial<DeletionLedger> = {}): DeletionLedger => ({
  tree: "tree",
  limits: { commit: 2, day: 3 },
  deletions,
  countedSince: now - day,
  ...more,
});
const first = "job:shop/staging/job-0";
const byOther = (count: number, at = now - 3_600_000) =>
  Array.from({ length: count }, () => earlier({ at, tree: "other" }));

describe("a plan deletes as long as no limit is exceeded", () => {
  test.each<[name: string, planned: number, ledger: DeletionLedger]>([
    ["a plan that deletes nothing needs no count", 0, ledger([], { countedSince: undefined })],
    ["the first plan of a commit has the caps of a plan only", 3, ledger([])],
    ["the limit of a commit is reached", 1, ledger([earlier()])],
    ["another commit has deleted", 1, ledger(byOther(2))],
    ["the limit of a day is reached", 1, ledger(byOther(2))],
    ["what was deleted a day ago counts no more", 1, ledger(byOther(3, now - day))],
    ["deletions from a time when the clock was days ahead do not count", 1, ledger(byOther(3, now + day))],
    ["a deletion that was begun is tried again", 2, ledger([earlier({ title: first, isDone: false })])],
  ])("%s", (_name, planned, given) => {
    expect(limitProblems(plan(planned), given, now)).toEqual([]);
  });
});

describe("a plan does not delete", () => {
  test.each<[name: string, planned: number, ledger: DeletionLedger, says: string, advice: string]>([
    [
      "while nothing is counted",
      1,
      ledger([], { countedSince: undefined }),
      "the deletions of the last 24 hours are not known yet",
      "wait until the events have been read",
    ],
    [
      "while less than a day is counted",
      1,
      ledger([], { countedSince: now - day + 1000 }),
      "the deletions of the last 24 hours are not known yet",
      "wait until 2026-11-23T12:00:01Z, or",
    ],
    [
      "more than its commit may",
      2,
      ledger([earlier()], { limits: { commit: 2, day: 10 } }),
      "this commit has deleted or replaced 1 already, and would delete or replace 2 more; 2 are allowed",
      "make fewer changes at once",
    ],
    [
      "more than a day allows, also by several commits: the oldest of them has to be a day old",
      1,
      ledger([...byOther(1, now), ...byOther(2, now - 7_200_000)]),
      "1 would be deleted or replaced, after 3 in the last 24 hours; 3 a day are allowed",
      "wait until 2026-11-24T10:00:00Z, or raise the limit by day",
    ],
    [
      "more than a day allows, if deletions of just less than a day ago and of now count",
      2,
      ledger([...byOther(1, now - day + 1), ...byOther(1, now)]),
      "2 would be deleted or replaced, after 2 in the last 24 hours; 3 a day are allowed",
      "wait until 2026-11-23T12:00:00Z, or",
    ],
    [
      "more than a day allows, if the clock was set back since the last deletions",
      1,
      ledger(byOther(3, now + 600_000)),
      "1 would be deleted or replaced, after 3 in the last 24 hours; 3 a day are allowed",
      "wait until 2026-11-24T12:10:00Z, or",
    ],
    [
      "more at once than a day allows",
      4,
      ledger([]),
      "4 would be deleted or replaced, after 0 in the last 24 hours; 3 a day are allowed",
      "make fewer changes at once, or raise the limit by day",
    ],
    [
      "a thing of the same name again after it was deleted",
      2,
      ledger([earlier({ title: first })]),
      "this commit has deleted or replaced 1 already",
      "make fewer changes at once",
    ],
    [
      "work of an earlier commit that this commit continues",
      3,
      ledger([earlier({ tree: "other", title: first, isDone: false })]),
      "3 would be deleted or replaced, after 1 in the last 24 hours",
      "wait until",
    ],
    [
      "something else than was begun",
      2,
      ledger([earlier({ isDone: false })]),
      "this commit has deleted or replaced 1 already",
      "make fewer changes at once",
    ],
  ])("%s", (_name, planned, given, says, advice) => {
    const problems = limitProblems(plan(planned), given, now);
    expect(problems).toMatchObject([{ code: "too_many", blocks: "apply" }]);
    expect(problems[0]?.message).toContain(says);
    expect(problems[0]?.advice).toContain(advice);
  });

  test("a source has a limit of its own, and all have one together, which says who has spent it", () => {
    const others = [
      ...byOther(2).map(({ tree: _tree, ...each }) => ({ ...each, source: "web" })),
      ...byOther(1).map(({ tree: _tree, ...each }) => each),
    ];
    const all = (organization: number) =>
      limitProblems(
        plan(2),
        ledger([...byOther(1), ...others], { limits: { commit: 9, day: 3, organization } }),
        now,
      );
    expect(all(6)).toEqual([]);
    // A lost memory lifts no limit: what is older than it counts, unless another source is known to have wanted it.
    const older = others.map((each) => ({ ...each, isEarlier: true as const }));
    const limits = { commit: 9, day: 3, organization: 99 };
    expect(limitProblems(plan(3), ledger(older, { limits }), now)).toMatchObject([
      {
        message:
          "3 would be deleted or replaced, after 1 in the last 24 hours (1 by unknown clients); 3 a day are allowed",
      },
    ]);
    const named = older.map((each) => ({ ...each, by: "anna with infrasync" }));
    expect(limitProblems(plan(3), ledger(named, { limits }), now)).toMatchObject([
      { message: expect.stringContaining("(1 by anna with infrasync)") },
    ]);
    expect(limitProblems(plan(3), ledger(others, { limits }), now)).toEqual([]);
    expect(all(5)).toMatchObject([
      {
        code: "too_many",
        message:
          "2 would be deleted or replaced, after 4 in the last 24 hours in the organization (1 by this source, 2 by the source web, 1 by unknown clients); 5 a day are allowed",
      },
    ]);
    expect(
      limitProblems(
        plan(3),
        ledger([...byOther(1), ...others], { limits: { commit: 9, day: 3, organization: 99 } }),
        now,
      ),
    ).toMatchObject([
      { message: "3 would be deleted or replaced, after 1 in the last 24 hours; 3 a day are allowed" },
    ]);
  });

  test("a consent for a commit covers the deletions that it has made already", () => {
    const [problem] = limitProblems(plan(2), ledger([earlier()], { limits: { commit: 2, day: 10 } }), now);
    expect(problem?.remedies).toEqual([{ setting: "max_deletes", value: "3" }]);
  });
});

test("a commit lowers the limits of the operator and does not raise them", () => {
  const caps = { caps: { count: 10, percent: 100 } };
  const limits = (commit?: number, byDay?: number, deletesPerDay?: number) =>
    deletionLimits(
      [
        {
          maxDeletes: { ...(commit !== undefined && { commit }), ...(byDay !== undefined && { day: byDay }) },
        },
      ] as never,
      caps as never,
      deletesPerDay === undefined ? {} : { deletesPerDay },
    );
  expect(limits()).toEqual({ commit: 10, day: defaultCaps.count });
  expect(limits(2, 3, 4)).toEqual({ commit: 2, day: 3 });
  expect(limits(20, 30, 4)).toEqual({ commit: 10, day: 4 });
  expect(limits(0, 0)).toEqual({ commit: 0, day: 0 });
});

test("a deletion is written to the memory before it starts, and marked as done when its action has ended", () => {
  const old = [earlier({ at: now - day }), earlier(), earlier({ title: first, isDone: false })];
  const started = withStarted(plan(2), ledger(old), now);
  expect(started.map(({ title, isDone, at }) => [title, isDone, now - at])).toEqual([
    ["job:shop/staging/old", true, 3_600_000],
    [first, false, 0],
    ["job:shop/staging/job-1", false, 0],
  ]);
  const other = earlier({ tree: "other", title: first, isDone: false });
  const [doneId] = plan(1).actions.map(({ id }) => id);
  const done = withDone(plan(2), new Set([doneId ?? ""]), ledger([...started, other]));
  expect(done.map(({ isDone }) => isDone)).toEqual([true, true, false, false]);
});
