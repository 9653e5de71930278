import { expect, test } from "vitest";
import { rest } from "../../../reconciler/service/rest.ts";
import { TestClock } from "../fixture.ts";

const minute = 60_000;

/** Rests for ten minutes with an interval of one; `news` says what the looks at the repository find. */
async function rested(
  news: readonly (boolean | Error)[],
  hints: readonly number[] = [],
  {
    isRequested = false,
    isAway = false,
    clock = new TestClock(),
    untilMinute = (_now: number): number => 10,
  } = {},
) {
  const started = clock.now();
  const refreshes: number[] = [];
  const pending = [...hints];
  await rest(
    {
      reconciler: {
        async hasNews() {
          const found = news[refreshes.length] ?? false;
          refreshes.push((clock.now() - started) / minute);
          await Promise.resolve();
          if (found instanceof Error) throw found;
          return found;
        },
      },
      clock,
      interval: minute,
      isAway,
      signal: new AbortController().signal,
      hints: {
        takeRequest: () => isRequested,
        async wait(milliseconds) {
          const hint = started + (pending[0] ?? Infinity) * minute - clock.now();
          await clock.sleep(Math.min(hint, milliseconds));
          if (hint > milliseconds) return false;
          pending.shift();
          return true;
        },
      },
    },
    started + 3 * minute,
    () => started + untilMinute(clock.now() - started) * minute,
  );
  return { refreshes, minutes: (clock.now() - started) / minute };
}

test("a rest ends sooner when somebody begins to look", async () => {
  const untilMinute = (now: number) => (now < 2 * minute ? 10 : 2.5);
  expect(await rested([], [2], { untilMinute })).toMatchObject({ minutes: 2.5 });
});

test("the repository is looked at while live resources have to wait", async () => {
  expect(await rested([])).toEqual({ refreshes: [3, 4, 5, 6, 7, 8, 9], minutes: 10 });
});

test("a new commit ends the rest", async () => {
  expect(await rested([false, true])).toEqual({ refreshes: [3, 4], minutes: 4 });
});

test("a repository that cannot be read ends the rest, so that the cycle tells why", async () => {
  expect(await rested([new Error("unreachable")])).toEqual({ refreshes: [3], minutes: 3 });
});

test("a repository that the last cycle could not read either is looked at, and no cycle is wasted on it", async () => {
  expect(await rested([new Error("unreachable"), new Error("unreachable")], [], { isAway: true })).toEqual({
    refreshes: [3, 4, 5, 6, 7, 8, 9],
    minutes: 10,
  });
});

test("a hint has the repository looked at at once, and moves no other look", async () => {
  expect(await rested([false, new Error("unreachable"), false, true], [0.5, 1.5])).toEqual({
    refreshes: [0.5, 1.5, 3, 4],
    minutes: 4,
  });
});

test("a request of a person ends the rest between two cycles, also without a new commit", async () => {
  expect(await rested([], [0.5], { isRequested: true })).toEqual({ refreshes: [], minutes: 0.5 });
});

test("a clock that is set back by hours ends the rest, instead of making it longer", async () => {
  class SetBack extends TestClock {
    override sleep = async (milliseconds: number): Promise<void> => {
      this.advance(this.slept.push(milliseconds) === 3 ? -2 * 60 * minute : milliseconds);
      await Promise.resolve();
    };
  }
  const clock = new SetBack();
  await rested([], [], { clock });
  expect(clock.slept).toEqual([30_000, 30_000, 30_000]);
});
