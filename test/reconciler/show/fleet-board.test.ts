import { expect, test } from "vitest";
import { anybody } from "../../../reconciler/identity.ts";
import { FleetBoard } from "../../../reconciler/show/fleet-board.ts";
import { fleetStatusOf } from "../../../reconciler/show/fleet-status.ts";
import { everywhere, type Person } from "../../../reconciler/people/index.ts";
import { movableClock } from "../../fixtures/movable-clock.ts";

const reader: Person = { identity: anybody, grants: [everywhere("see")] };
const source = { name: "shop", file: "a.yaml", repository: "https://git.example.com/a.git" };

/** A board over one source that does not run here, with what another worker has said about it. */
function boardOf({ isAdmitted }: { isAdmitted: boolean }) {
  const clock = movableClock();
  const member = { source, running: undefined, since: clock.now(), isAdmitted, isEnding: false };
  const board = new FleetBoard({ clock, members: () => [member], describe: ({ message }) => message });
  const told = (age: number) =>
    board.others([
      {
        source: "shop",
        host: "other",
        age,
        view: { ...source, state: "in_step", inStep: 2, environments: 2, isEnding: false },
      },
    ]);
  return { clock, told, shown: () => board.view(reader).sources[0] };
}

test("a source without a report for 15 seconds does not run, whatever its state was", () => {
  const { told, shown } = boardOf({ isAdmitted: false });
  told(2000);
  expect(shown()).toMatchObject({ state: "in_step", worker: { host: "other" } });
  told(16_000);
  expect(shown()).toMatchObject({
    state: "down",
    failure: { reason: "no worker has looked after it since then" },
  });
});

test("a source that no worker has taken within a minute does not run; one that waits for its turn here does", () => {
  for (const [isAdmitted, state] of [
    [false, "down"],
    [true, "unread"],
  ] as const) {
    const { clock, shown } = boardOf({ isAdmitted });
    expect(shown()?.state).toBe("unread");
    clock.advance(61_000);
    expect(shown()?.state).toBe(state);
  }
});

test("a rule of the operator that restricts nothing in any source is told, once each source was looked at", () => {
  const clock = movableClock();
  const member = (name: string) => ({
    source: { ...source, name },
    running: undefined,
    since: clock.now(),
    isAdmitted: false,
    isEnding: false,
  });
  const board = new FleetBoard({
    clock,
    members: () => [member("one"), member("two")],
    describe: ({ message }) => message,
  });
  const told = (...idle: (string[] | undefined)[]) => {
    const view = { state: "in_step", inStep: 2, environments: 2, isEnding: false };
    board.others(
      ["one", "two"].map((name, at) => ({
        source: name,
        host: "other",
        age: 0,
        view: { ...source, ...view, name, ...(idle[at] && { idle: idle[at] }) },
      })),
    );
    return fleetStatusOf(board.view(reader)).notes;
  };
  expect(told(["a route", "a role"], undefined)).toBe(undefined);
  expect(told(["a route", "a role"], ["a role"])).toEqual(["a role"]);
  expect(fleetStatusOf(board.view({ ...reader, grants: [] })).notes).toBe(undefined);
});
