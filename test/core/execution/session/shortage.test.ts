import { expect, test } from "vitest";
import { RequestMeter } from "../../../../core/api/index.ts";
import { shortageOf } from "../../../../core/execution/session/index.ts";

const resetAt = new Date(0);
const spent = (requests: number, cap?: number) => {
  const meter = new RequestMeter(cap);
  for (let sent = 0; sent < requests; sent += 1) meter.add("GET /job/{id}");
  return meter;
};
const quota = (remaining: number) => ({ limit: 100, remaining, resetAt });

test.each([
  ["nothing is known of the quota, and there is no cap", {}, spent(5), 50, undefined],
  ["the quota is just enough", quota(10), spent(5), 10, undefined],
  ["the cap is just enough", quota(90), spent(5, 15), 10, undefined],
  ["the cap is one too few", quota(90), spent(5, 15), 11, { by: "cap", cap: 15, left: 10 }],
  ["less than nothing is left of the cap", {}, spent(7, 5), 1, { by: "cap", cap: 5, left: 0 }],
  [
    "the quota is one too few",
    quota(10),
    spent(5),
    11,
    { by: "quota", left: 10, resetAt, window: undefined },
  ],
  [
    "a whole window is just enough",
    quota(10),
    spent(5),
    95,
    { by: "quota", left: 10, resetAt, window: undefined },
  ],
  ["a whole window is one too few", quota(10), spent(5), 96, { by: "quota", left: 10, resetAt, window: 100 }],
])("%s", (_case, budget, meter, requests, shortage) => {
  expect(shortageOf({ budget, meter }, requests)).toEqual(shortage);
});
