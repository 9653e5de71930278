import { expect, test } from "vitest";
import { OperationError } from "../../../core/steps/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { explainError, RefusedError, UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import { Secrets } from "../../../provider/lifecycle/secrets.ts";

const evil = "first \u001b[2J\u202egnp.\u0085\nsecond \u0007";

test.each([
  ["what is refused", new RefusedError(evil)],
  ["what is not finished", UnfinishedError.after("id", {}, "it has been made", new Error(evil))],
  ["wrong input", new InvalidInputError([{ code: "invalid", message: evil, advice: evil }])],
  ["an operation", new OperationError("changed", evil)],
  ["an unexpected error", new TypeError(evil)],
])("the Pulumi output of %s contains no control characters", (_name, error) => {
  const { message } = explainError(error, undefined, new Secrets({}));
  expect(message.match(/(?!\n)[\p{Cc}\p{Cf}]/gu)).toBeNull();
  expect(message).toContain(String.raw`first \u001b[2J\u202egnp.\u0085`);
});
