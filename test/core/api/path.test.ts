import { describe, expect, test } from "vitest";
import { path } from "../../../core/api/index.ts";
import { operationName } from "../../../core/api/operation.ts";

describe("path", () => {
  const id = "7f9c24e8-3b12-4fef-91d0-1c4d2f6e8a90";
  const cases: [built: string, expected: string][] = [
    [path`/organization`, "/organization"],
    [path`/job/${id}/clone`, `/job/${id}/clone`],
    [path`/a/${"b/c"}/d/${"e?f#g"}`, "/a/b%2Fc/d/e%3Ff%23g"],
    [path`/a/${"../x"}`, "/a/..%2Fx"],
    [path`/a/${"%2e%2e"}`, "/a/%252e%252e"],
    [path`/a/${"\r\nä"}`, "/a/%0D%0A%C3%A4"],
  ];
  test.each(cases)("%s", (built, expected) => {
    expect(built).toBe(expected);
    expect(new URL(`http://localhost${built}`).pathname).toBe(expected);
  });

  test.each(["", ".", "..", "a\uD800"])("%j is not an id", (value) => {
    expect(() => path`/job/${value}`).toThrow(TypeError);
  });
});

describe("operationName", () => {
  const id = "7f9c24e8-3b12-4fef-91d0-1c4d2f6e8a90";
  const cases: [path: string, expected: string][] = [
    ["/organization", "GET /organization"],
    [`/environment/${id}/services`, "GET /environment/{id}/services"],
    [`/a/${id.toUpperCase()}/b/${id}`, "GET /a/{id}/b/{id}"],
    ["/variable/import", "GET /variable/import"],
  ];
  test.each(cases)("%s", (requestPath, expected) => {
    expect(operationName({ method: "GET", path: requestPath })).toBe(expected);
  });
});
