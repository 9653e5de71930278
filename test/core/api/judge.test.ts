import { describe, expect, test } from "vitest";
import { judge } from "../../../core/api/judge.ts";
import { mayRepeat } from "../../../core/api/requests.ts";

const operation = { method: "GET", path: "/x" } as const;
const route = { server: "https://api.example.com", proxy: undefined };

/** Classifies a connection failure with a code of the operating system or of TLS. */
function judgeCode(code: string, sent: boolean) {
  const error = Object.assign(new Error(`it failed: ${code}`), { code });
  const verdict = judge(
    operation,
    { kind: "none", reason: "connection", sent, headers: {}, error, route },
    (text) => text,
    { now: 0 },
  );
  if (verdict.kind !== "failed") throw new Error("a connection that failed cannot be a success");
  return verdict;
}

describe("a connection failure", () => {
  const cases: [code: string, sent: boolean, carriedOut: "no" | "perhaps", mayPass: boolean][] = [
    ["ECONNREFUSED", false, "no", true],
    ["EHOSTUNREACH", false, "no", true],
    ["EAI_AGAIN", false, "no", true],
    ["ECONNRESET", false, "no", true],
    ["ECONNRESET", true, "perhaps", true],
    ["EPIPE", true, "perhaps", true],
    ["ERR_HTTP_CONTENT_LENGTH_MISMATCH", true, "perhaps", true],
    ["HPE_INVALID_CONSTANT", true, "perhaps", true],
    ["ENOTFOUND", false, "no", false],
    ["EPROTO", false, "no", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false, "no", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", false, "no", false],
    ["CERT_HAS_EXPIRED", false, "no", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", false, "no", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", false, "no", false],
    ["ERR_GOT_REQUEST_ERROR", false, "no", false],
  ];
  test.each(cases)("%s, sent: %s", (code, sent, carriedOut, mayPass) => {
    expect(judgeCode(code, sent)).toMatchObject({ carriedOut, mayPass, error: { code: "unreachable" } });
  });
});

describe("a retry", () => {
  const certain = judgeCode("ECONNREFUSED", false);
  const unclear = judgeCode("ECONNRESET", true);
  const useless = judgeCode("ENOTFOUND", false);
  const cases: [method: "GET" | "POST" | "PUT" | "DELETE", certain: boolean, unclear: boolean][] = [
    ["GET", true, true],
    ["DELETE", true, false],
    ["POST", true, false],
    ["PUT", true, false],
  ];
  test.each(cases)("of %s", (method, afterCertain, afterUnclear) => {
    expect(mayRepeat(method, certain, 1)).toBe(afterCertain);
    expect(mayRepeat(method, unclear, 1)).toBe(afterUnclear);
    expect(mayRepeat(method, certain, 4)).toBe(afterCertain);
    expect(mayRepeat(method, certain, 5)).toBe(false);
    expect(mayRepeat(method, useless, 1)).toBe(false);
  });
});

describe("an answer that is to be text", () => {
  const judgeBody = (body: string) =>
    judge(
      operation,
      { kind: "answer", status: 200, headers: {}, body: Buffer.from(body) },
      () => "[secret]",
      { now: 0, textType: "application/x-yaml" },
    );

  test.each(["kind: Config\n", '{"kind":"Config"}'])("is that text, also where it is JSON: %s", (body) => {
    expect(judgeBody(body)).toEqual({ kind: "done", value: body, status: 200 });
  });

  test.each([
    ["", "an empty answer where application/x-yaml was expected"],
    ["<html>c4nary</html>", "an HTML page where application/x-yaml was expected"],
  ])("is no page of a proxy, and not empty: %s", (body, message) => {
    const verdict = judgeBody(body);
    if (verdict.kind !== "failed") throw new Error("it cannot be a success");
    expect(verdict.error.message).toContain(message);
    expect(verdict.error.message).not.toContain("c4nary");
  });
});
