import { expect, test } from "vitest";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";

const problems = (count: number): Problem[] =>
  Array.from({ length: count }, (_, index) => ({ code: "reference", message: `no registry hub-${index}` }));

test.each<[count: number, reported: number, last: string]>([
  [1, 1, "no registry hub-0"],
  [101, 101, "no registry hub-100"],
  [102, 101, "and 2 more"],
  [5_000, 101, "and 4,900 more"],
])("of %i mistakes, the first are told and the rest is counted", (count, reported, last) => {
  const error = new InvalidInputError(problems(count));
  expect(error.problems).toHaveLength(reported);
  expect(error.problems.at(-1)?.message).toBe(last);
  expect(error.message.split("\n")).toHaveLength(reported);
});
