import { describe, expect, test } from "vitest";
import { pauseAfter, requestedTime, retryDelay, untilReset } from "../../../core/api/retry-delay.ts";
import type { FailedTry } from "../../../core/api/retry-delay.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;
const DATE = "Sun, 01 Mar 2026 12:00:00 GMT";
const unix = (milliseconds: number) => String(milliseconds / 1000);

describe("the delay before the next try, with no jitter and with full jitter", () => {
  const cases: [name: string, failed: FailedTry, least: number, most: number][] = [
    ["first backoff", { attempt: 1 }, 250, 500],
    ["second backoff", { attempt: 2 }, 500, 1000],
    ["fifth backoff", { attempt: 5, status: 500 }, 4000, 8000],
    ["a backoff has an upper bound", { attempt: 40 }, 30_000, 60_000],
    ["429 with nothing", { attempt: 1, status: 429 }, 250, 500],
    ["429 again with nothing", { attempt: 3, status: 429 }, 1000, 2000],
    ["429 with a reset", { attempt: 1, status: 429, reset: unix(NOW + 90_000), date: DATE }, 90_000, 90_500],
    ["429 with a reset, no Date", { attempt: 1, status: 429, reset: unix(NOW + 90_000) }, 90_000, 90_500],
    [
      "the attempt does not matter then",
      { attempt: 9, status: 429, reset: unix(NOW + 90_000) },
      90_000,
      90_500,
    ],
    ["429 with a reset with a fraction", { attempt: 1, status: 429, reset: "1772366401.5" }, 1500, 2000],
    ["429 at the end of a window", { attempt: 1, status: 429, reset: unix(NOW + HOUR) }, HOUR, HOUR + 500],
    ["429 with a reset in the past", { attempt: 1, status: 429, reset: unix(NOW - 5000) }, 250, 500],
    ["429 with a reset of now", { attempt: 1, status: 429, reset: unix(NOW) }, 250, 500],
    ["429 with a reset of 1970", { attempt: 1, status: 429, reset: "60" }, 250, 500],
    ["429 with a reset in two hours", { attempt: 2, status: 429, reset: unix(NOW + 2 * HOUR) }, 500, 1000],
    ["429 with a reset in milliseconds", { attempt: 1, status: 429, reset: String(NOW + 1000) }, 250, 500],
    ["429 with a reset that is no number", { attempt: 1, status: 429, reset: "soon" }, 250, 500],
    ["429 with a negative reset", { attempt: 1, status: 429, reset: "-1" }, 250, 500],
    ["429 with Retry-After", { attempt: 1, status: 429, retryAfter: "7" }, 7000, 7500],
    [
      "429 with Retry-After as a date",
      { attempt: 1, status: 429, retryAfter: "Sun, 01 Mar 2026 12:00:09 GMT" },
      9000,
      9500,
    ],
    [
      "Retry-After before the reset",
      { attempt: 1, status: 429, retryAfter: "7", reset: unix(NOW + HOUR) },
      7000,
      7500,
    ],
    [
      "a bad Retry-After leaves the reset",
      { attempt: 1, status: 429, retryAfter: "x", reset: unix(NOW + 3000) },
      3000,
      3500,
    ],
    ["429 with Retry-After 0", { attempt: 1, status: 429, retryAfter: "0" }, 250, 500],
    [
      "429 with Retry-After in the past",
      { attempt: 1, status: 429, retryAfter: "Sun, 01 Mar 2026 11:00:00 GMT" },
      250,
      500,
    ],
    ["429 with a negative Retry-After", { attempt: 1, status: 429, retryAfter: "-5" }, 250, 500],
    [
      "429 with Retry-After of a day",
      { attempt: 1, status: 429, retryAfter: "86400" },
      24 * HOUR,
      24 * HOUR + 500,
    ],
    ["503 with Retry-After", { attempt: 1, status: 503, retryAfter: "3" }, 3000, 3500],
    ["503 with Retry-After of ten minutes", { attempt: 1, status: 503, retryAfter: "600" }, 600_000, 600_500],
    ["503 has nothing to do with the quota", { attempt: 1, status: 503, reset: unix(NOW + HOUR) }, 250, 500],
    ["500 with Retry-After", { attempt: 1, status: 500, retryAfter: "3" }, 3000, 3500],
  ];
  test.each(cases)("%s", (_name, failed, least, most) => {
    expect([retryDelay(failed, NOW, 0), retryDelay(failed, NOW, 1)]).toEqual([least, most]);
  });
});

describe("the pause after a 429, with no jitter and with full jitter", () => {
  const later = unix(NOW + 2_400_000);
  const cases: [
    name: string,
    failed: FailedTry,
    remaining: number | undefined,
    least: number,
    most: number,
  ][] = [
    ["nothing is said", { attempt: 1 }, undefined, 1000, 1500],
    ["nothing is said, again", { attempt: 3 }, undefined, 4000, 6000],
    ["nothing is said, many times", { attempt: 30 }, undefined, 60_000, 90_000],
    ["Retry-After", { attempt: 1, retryAfter: "7" }, undefined, 7000, 7500],
    ["Retry-After 0", { attempt: 1, retryAfter: "0" }, undefined, 0, 500],
    ["Retry-After 0, again", { attempt: 2, retryAfter: "0" }, undefined, 1000, 1500],
    ["Retry-After 0, many times", { attempt: 5, retryAfter: "0" }, undefined, 8000, 12_000],
    [
      "Retry-After in the past",
      { attempt: 1, retryAfter: "Sun, 01 Mar 2026 11:00:00 GMT" },
      undefined,
      0,
      500,
    ],
    ["Retry-After of a day", { attempt: 1, retryAfter: "86400" }, undefined, 24 * HOUR, 24 * HOUR + 500],
    ["Retry-After with nonsense", { attempt: 1, retryAfter: "soon" }, undefined, 1000, 1500],
    ["a negative Retry-After", { attempt: 1, retryAfter: "-5" }, undefined, 1000, 1500],
    ["a reset", { attempt: 1, reset: unix(NOW + 8000) }, undefined, 8000, 8500],
    ["a reset in the past", { attempt: 1, reset: unix(NOW - 8000) }, undefined, 0, 500],
    ["a reset in two hours", { attempt: 1, reset: unix(NOW + 2 * HOUR) }, undefined, 1000, 1500],
    ["a reset while requests are left", { attempt: 1, reset: later }, 980, 1000, 1500],
    ["a reset when nothing is left", { attempt: 1, reset: later }, 0, 2_400_000, 2_400_500],
    ["Retry-After while requests are left", { attempt: 1, reset: later, retryAfter: "5" }, 980, 5000, 5500],
    ["Retry-After before the reset", { attempt: 1, reset: later, retryAfter: "5" }, 0, 2_400_000, 2_400_500],
  ];
  test.each(cases)("%s", (_name, failed, remaining, least, most) => {
    const pauses = [0, 1].map((random) => pauseAfter({ ...failed, status: 429 }, remaining, NOW, random));
    expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([least, most]);
  });

  test.each<[boolean, FailedTry, number | undefined]>([
    [true, { attempt: 1, retryAfter: "7" }, undefined],
    [true, { attempt: 1, reset: later }, 0],
    [false, { attempt: 1, reset: later }, 980],
    [false, { attempt: 1, retryAfter: "0" }, undefined],
    [false, { attempt: 1 }, 0],
  ])("whether its end is declared: %s", (isDeclared, failed, remaining) => {
    expect(pauseAfter({ ...failed, status: 429 }, remaining, NOW, 0).isDeclared).toBe(isDeclared);
  });
});

describe("different clocks", () => {
  test.each([-24 * HOUR, -30_000, 30_000, 24 * HOUR])(
    "a difference of %d ms is corrected by the server's Date",
    (difference) => {
      const limited = { attempt: 1, status: 429, reset: unix(NOW + 90_000), date: DATE };
      expect(retryDelay(limited, NOW + difference, 0)).toBe(90_000);
      const later = { attempt: 1, status: 429, retryAfter: "Sun, 01 Mar 2026 12:00:09 GMT", date: DATE };
      expect(retryDelay(later, NOW + difference, 0)).toBe(9000);
    },
  );

  test("an invalid Date is ignored", () => {
    expect(retryDelay({ attempt: 1, status: 429, reset: unix(NOW + 5000), date: "today" }, NOW, 0)).toBe(
      5000,
    );
  });
});

describe("until the reset", () => {
  const cases: [reset: string | undefined, expected: number | undefined][] = [
    [unix(NOW + 5000), 5000],
    [unix(NOW), 0],
    [unix(NOW - 5000), 0],
    [unix(NOW + 61 * 60_000), 61 * 60_000],
    [unix(NOW + 61 * 60_000 + 1000), undefined],
    ["", undefined],
    [undefined, undefined],
    ["1e99", undefined],
  ];
  test.each(cases)("%s gives %s", (reset, expected) => {
    expect(untilReset({ reset }, NOW)).toBe(expected);
  });
});

test("a server that wants to be asked again in twelve years is quoted with its date, and a time beyond all dates with the last one", () => {
  const headers = (declared: string) => ({ "retry-after": declared });
  const answer = (declared: string) =>
    requestedTime({ kind: "answer", status: 503, headers: headers(declared), body: Buffer.of() }, NOW);
  expect(answer("Fri, 01 Jan 2038 00:00:00 GMT")?.toISOString()).toBe("2038-01-01T00:00:00.000Z");
  expect(answer("999999999999999")?.toISOString()).toBe("9999-12-31T00:00:00.000Z");
});
