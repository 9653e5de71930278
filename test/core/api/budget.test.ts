import { describe, expect, test } from "vitest";
import { BudgetMeter } from "../../../core/api/index.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;

function headers(remaining: string, resetIn = 10 * MINUTE, more: Record<string, string> = {}) {
  const reset = String((NOW + resetIn) / 1000);
  return {
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
    ...more,
  };
}

describe("the budget", () => {
  test("is unknown at first", () => {
    expect(new BudgetMeter().read(NOW)).toEqual({});
  });

  test("comes from the headers", () => {
    const meter = new BudgetMeter();
    meter.learn(headers("17"), meter.sent(), NOW);
    expect(meter.read(NOW)).toEqual({ limit: 1000, remaining: 17, resetAt: new Date(NOW + 10 * MINUTE) });
  });

  test("follows the server when it rises", () => {
    const meter = new BudgetMeter();
    meter.learn(headers("17"), meter.sent(), NOW);
    meter.learn(headers("500"), meter.sent(), NOW);
    expect(meter.read(NOW).remaining).toBe(500);
  });

  test("takes the smaller figure when responses arrive in another order", () => {
    const meter = new BudgetMeter();
    const [first, second] = [meter.sent(), meter.sent()];
    meter.learn(headers("3"), second, NOW);
    meter.learn(headers("4"), first, NOW);
    expect(meter.read(NOW).remaining).toBe(3);
  });

  test("takes the smaller figure also when the reset is invalid", () => {
    const meter = new BudgetMeter();
    const [first, second] = [meter.sent(), meter.sent()];
    meter.learn({ ...headers("3"), "x-ratelimit-reset": "soon" }, second, NOW);
    meter.learn({ ...headers("4"), "x-ratelimit-reset": "soon" }, first, NOW);
    expect(meter.read(NOW).remaining).toBe(3);
  });

  test("takes the newer window when responses arrive in another order", () => {
    const meter = new BudgetMeter();
    const [first, second, third] = [meter.sent(), meter.sent(), meter.sent()];
    meter.learn(headers("3"), first, NOW);
    meter.learn(headers("999", 70 * MINUTE - 10 * MINUTE), second, NOW);
    meter.learn(headers("2"), third, NOW);
    expect(meter.read(NOW).remaining).toBe(999);
  });

  test("forgets the remaining quota when the window ends", () => {
    const meter = new BudgetMeter();
    meter.learn(headers("0"), meter.sent(), NOW);
    expect(meter.read(NOW + 10 * MINUTE - 1)).toMatchObject({ remaining: 0 });
    expect(meter.read(NOW + 10 * MINUTE)).toEqual({ limit: 1000 });
  });

  test("uses the clock of the server", () => {
    const meter = new BudgetMeter();
    meter.learn(
      headers("5", MINUTE, { date: "Sun, 01 Mar 2026 12:00:00 GMT" }),
      meter.sent(),
      NOW - 5 * MINUTE,
    );
    expect(meter.read(NOW - 5 * MINUTE).resetAt).toEqual(new Date(NOW - 4 * MINUTE));
  });

  const odd: [name: string, headers: Record<string, string>, expected: object][] = [
    ["no headers", {}, { remaining: 7 }],
    ["no figure", { "x-ratelimit-remaining": "many" }, { remaining: 7 }],
    ["less than nothing", { "x-ratelimit-remaining": "-2" }, { remaining: 0 }],
    ["a figure alone", { "x-ratelimit-remaining": "9" }, { remaining: 9 }],
    [
      "a reset in a year",
      { ...headers("9"), "x-ratelimit-reset": String(NOW / 1000 + 31_536_000) },
      { limit: 1000, remaining: 9, isResetSenseless: true },
    ],
  ];
  test.each(odd)("with %s", (_name, odds, expected) => {
    const meter = new BudgetMeter();
    meter.learn({ "x-ratelimit-remaining": "7" }, meter.sent(), NOW);
    meter.learn(odds, meter.sent(), NOW);
    expect(meter.read(NOW)).toEqual(expected);
  });

  const date = new Date(NOW).toUTCString();
  test.each<[name: string, headers: Record<string, string>]>([
    ["seconds from now", { "x-ratelimit-reset": "1800" }],
    ["seconds from now, none left", { "x-ratelimit-reset": "0" }],
    ["milliseconds", { "x-ratelimit-reset": String(NOW + MINUTE) }],
    ["an hour ago", { "x-ratelimit-reset": String((NOW - 60 * MINUTE) / 1000) }],
    ["by a clock that is a day late", { "x-ratelimit-reset": String(NOW / 1000 - 86_400 + 600), date }],
    ["by a clock that is a day early", { "x-ratelimit-reset": String(NOW / 1000 + 86_400 + 600), date }],
    ["no number", { "x-ratelimit-reset": "soon" }],
  ])("an invalid reset (%s) keeps the remaining quota and is reported", (_name, more) => {
    const meter = new BudgetMeter();
    meter.learn({ ...headers("3"), ...more }, meter.sent(), NOW);
    expect(meter.read(NOW)).toEqual({ limit: 1000, remaining: 3, isResetSenseless: true });
    expect(meter.read(NOW + 30 * MINUTE)).toMatchObject({ remaining: 3 });
  });

  test("a reset that has just passed ends the window", () => {
    const meter = new BudgetMeter();
    meter.learn(headers("3", -1000), meter.sent(), NOW);
    expect(meter.read(NOW)).toEqual({ limit: 1000 });
  });
});
