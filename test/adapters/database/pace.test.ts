import { expect, test } from "vitest";
import { paceOf, unknownFactor } from "../../../adapters/database/index.ts";

test.each([
  ["", 5],
  ["?connect_timeout=20", 20],
  ["?sslmode=require&connect_timeout=12.5", 12.5],
  // Others presume no more than the longest of a worker that has not told its own.
  ["?connect_timeout=600", 40],
  // A worker has to answer within what the others wait for it.
  ["?connect_timeout=2", 5],
  ["?connect_timeout=soon", 5],
])(
  "the time limit of a database with %j in its URL is %d s, and the limits of its workers follow",
  (query, seconds) => {
    const url = `postgres://infrasync@db.example.com/infrasync${query}`;
    expect(paceOf(url).limit).toBe(seconds * 1000);
    expect(paceOf(url).factor).toBe(seconds / 5);
    expect(paceOf(url).factor).toBeLessThanOrEqual(unknownFactor);
  },
);

test("the limit grows with each answer that is late, up to eight times, and shrinks with fast ones to that of the URL", () => {
  const url = "postgres://db.example.com/slow?connect_timeout=10";
  const limits = [1, 2, 3].map(() => {
    paceOf(url).late();
    return paceOf(url).limit / 1000;
  });
  expect(limits).toEqual([20, 40, 40]);
  for (let answers = 0; answers < 40; answers += 1) paceOf(url).took(10);
  expect(paceOf(url).limit).toBe(10_000);
});
