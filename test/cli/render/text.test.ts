import { expect, test } from "vitest";
import { duration, timeLeft } from "../../../cli/render/text.ts";

test.each([
  [0.2, "1 s"],
  [1, "1 s"],
  [58, "58 s"],
  [58.9, "58 s"],
  [99.9, "99 s"],
  [100, "2 min"],
  [2580, "43 min"],
  [3600, "60 min"],
  [3600.9, "60 min"],
])("%d seconds are shown as %s", (seconds, text) => {
  expect(timeLeft(new Date(seconds * 1000), 0)).toBe(text);
});

test.each([
  [0, "0.0 s"],
  [49, "0.0 s"],
  [50, "0.1 s"],
  [400, "0.4 s"],
  [9_940, "9.9 s"],
  [9_950, "10 s"],
  [58_400, "58 s"],
  [99_900, "100 s"],
  [100_000, "2 min"],
  [240_000, "4 min"],
  [3_600_000, "60 min"],
])("%d ms are shown as %s", (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});
