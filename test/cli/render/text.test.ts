import { expect, test } from "vitest";
import { timeLeft } from "../../../cli/render/text.ts";

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
