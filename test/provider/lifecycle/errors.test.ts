import { afterEach, describe, expect, test } from "vitest";
import { OperationError } from "../../../core/operations/index.ts";
import { InvalidInputError } from "../../../core/problems/problem.ts";
import { explainError, RefusedError, UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import { read, update } from "../../../provider/lifecycle/calls.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
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

describe("an error crosses to the engine without a stack trace, whoever makes stack traces in its process", () => {
  const { prepareStackTrace } = Error;
  afterEach(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });

  const configOf = (baseUrl: string) => ({
    get: (name: string) => ({ "infrasync:baseUrl": baseUrl, "infrasync:token": "wrong" })[name],
  });

  test.each([400, 401, 403])("a read that is answered with %i", async (status) => {
    const { url } = await serveReplies(json(status, { message: "no" }));
    const calls = [
      () => read("Job", "7f9c24e8-3b12-4fef-91d0-1c4d2f6e8a90", {}, configOf(url)),
      () => update("Job", "7f9c24e8-3b12-4fef-91d0-1c4d2f6e8a90", {}, {}, configOf(url)),
    ];
    for (const call of calls) {
      Error.prepareStackTrace = () => {
        throw new TypeError("an invalid source map");
      };
      const error: unknown = await call().catch((reason: unknown) => reason);
      const text = `${String(error)}: ${(error as Error).stack}`;
      Error.prepareStackTrace = prepareStackTrace;
      expect(text).toBe("infrasync: the error of a resource is shown at the resource");
    }
  });
});
