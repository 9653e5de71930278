import { describe, expect, test } from "vitest";
import { plainCause, redactor } from "../../../core/api/redact.ts";

describe("redactor", () => {
  const cases: [token: string, text: string, expected: string][] = [
    ["abc", "Token abc, again abc", "Token [token], again [token]"],
    ["a/b+c", "in a URL: a%2Fb%2Bc", "in a URL: [token]"],
    ['a"b\\c', String.raw`in JSON: {"token":"a\"b\\c"}`, 'in JSON: {"token":"[token]"}'],
    ["a.c", "abc stays", "abc stays"],
    ["$&", "$& goes", "[token] goes"],
  ];
  test.each(cases)("%s in %s", (token, text, expected) => {
    expect(redactor(token)(text)).toBe(expected);
  });
});

describe("plainCause", () => {
  const redact = redactor("secret");

  test("keeps name, message and code, and nothing else", () => {
    const error = Object.assign(new TypeError("no secret\u001b[0m", { cause: "secret" }), {
      code: "E1",
      options: { token: "secret" },
    });
    const plain = plainCause(error, redact);
    expect(plain).toMatchObject({ name: "TypeError", message: String.raw`no [token]\u001b[0m`, code: "E1" });
    expect(Object.getOwnPropertyNames(plain).toSorted()).toEqual(["code", "message", "name", "stack"]);
    expect(plain.stack).toBe(String.raw`TypeError: no [token]\u001b[0m`);
  });

  test("is bounded", () => {
    expect(plainCause(new Error("x".repeat(10_000)), redact).message).toHaveLength(501);
  });

  test("makes an error of anything", () => {
    expect(plainCause("the secret", redact).message).toBe("the [token]");
  });
});
