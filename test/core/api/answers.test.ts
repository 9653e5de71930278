import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import * as api from "../../../core/api/index.ts";
import { createWritingClient, type WritingClient as Client } from "../../../core/api/client.ts";
import type { ApiError } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { faults, html, json, serveReplies, text } from "../../fixtures/http-server.ts";
import type { Reply } from "../../fixtures/http-server.ts";

function clientFor(url: string): Client {
  return createWritingClient(
    { baseUrl: url, token: "t0ken", onQuota: "fail", maxResponseSize: 50_000 },
    quickClock(),
  );
}

const compressed =
  (encoding: string, bytes: Buffer): Reply =>
  (response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(bytes);
  };

type Use = (client: Client) => Promise<unknown>;
const read: Use = (client) => client.get("/x");
const create: Use = (client) => client.post("/x", { name: "a" });
const update: Use = (client) => client.put("/x", { name: "a" });
const remove: Use = (client) => client.delete("/x");

describe("requests", () => {
  test("bodies are JSON, and a POST may have none", async () => {
    const { url, received } = await serveReplies(json(200, { id: 1 }));
    const client = clientFor(url);
    await client.post("/clone", { name: "ä", port: null, left_out: undefined });
    await client.put("/job", []);
    await client.post("/deploy");
    await client.delete("/job");
    expect(received.map(({ method, url: target, body }) => [method, target, body])).toEqual([
      ["POST", "/clone", '{"name":"ä","port":null}'],
      ["PUT", "/job", "[]"],
      ["POST", "/deploy", ""],
      ["DELETE", "/job", ""],
    ]);
    expect(received.map(({ headers }) => headers["content-type"])).toEqual([
      "application/json",
      "application/json",
      undefined,
      undefined,
    ]);
  });
});

describe("valid responses", () => {
  const body = { id: "ä🚀", list: [1, null, true] };
  const cases: [name: string, use: Use, reply: Reply, expected: unknown][] = [
    ["JSON", read, json(200, body), body],
    ["JSON that calls itself text", read, text(200, "[1]", { "content-type": "text/plain" }), [1]],
    ["JSON with a byte order mark", read, text(200, "\uFEFF[1]"), [1]],
    ["null", read, text(200, "null"), null],
    ["gzip", read, compressed("gzip", gzipSync(JSON.stringify(body))), body],
    ["deflate", read, compressed("deflate", deflateSync(JSON.stringify(body))), body],
    ["brotli", read, compressed("br", brotliCompressSync(JSON.stringify(body))), body],
    ["201", create, json(201, body), body],
    ["202", create, json(202, body), body],
    ["200 without a body, to a POST", create, text(200, ""), undefined],
    ["204 to a PUT", update, text(204, ""), undefined],
    ["204 to a DELETE", remove, text(204, ""), { status: 204 }],
    ["200 with a body, to a DELETE", remove, json(200, body), { status: 200 }],
    ["202 without a body, to a DELETE", remove, text(202, ""), { status: 202 }],
  ];
  test.each(cases)("%s", async (_name, use, reply, expected) => {
    const { url, received } = await serveReplies(reply);
    expect(await use(clientFor(url))).toEqual(expected);
    expect(received).toHaveLength(1);
  });
});

describe("refusals: one class each, sent once, with any method", () => {
  const cases: [status: number, errorClass: new (...parts: never[]) => ApiError, code: string][] = [
    [400, api.InvalidRequestError, "invalid_request"],
    [401, api.UnauthorizedError, "unauthorized"],
    [403, api.ForbiddenError, "forbidden"],
    [404, api.NotFoundError, "not_found"],
    [409, api.ConflictError, "conflict"],
    [410, api.InvalidRequestError, "invalid_request"],
    [413, api.InvalidRequestError, "invalid_request"],
    [422, api.InvalidRequestError, "invalid_request"],
    [423, api.ConflictError, "conflict"],
    [429, api.RateLimitedError, "rate_limited"],
  ];
  const uses = { GET: read, POST: create, PUT: update, DELETE: remove };
  const all = cases.flatMap((line) =>
    Object.entries(uses).map(([method, use]) => [...line, method, use] as const),
  );
  test.each(all)("status %d throws %o", async (status, errorClass, code, method, use) => {
    const { url, received } = await serveReplies(
      json(status, { status, error: "E", message: "cpu is too small" }),
    );
    const error = await failureOf(use(clientFor(url)));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ name: errorClass.name, code, status, method, path: "/x" });
    expect(error.message).toContain(`${method} /x`);
    expect(error.message.includes('The server says: "cpu is too small"')).toBe(status !== 429);
    expect(received).toHaveLength(1);
  });

  test.each([400, 401, 403, 409, 422])("status %d without JSON throws the same", async (status) => {
    const { url } = await serveReplies(text(status, "no, because"));
    expect((await failureOf(read(clientFor(url)))).message).toMatch(/ The answer says: "no, because"$/);
  });

  test("an answer that explains nothing is not quoted", async () => {
    const { url } = await serveReplies(json(403, {}));
    expect((await failureOf(read(clientFor(url)))).message).not.toContain("says");
  });

  test("a page of a proxy is not said by the server", async () => {
    const { url } = await serveReplies(html(403));
    expect((await failureOf(read(clientFor(url)))).message).toMatch(
      /an HTML page of a proxy, .* The answer says: "<!DOCTYPE html>/,
    );
  });

  test("404 without a body means absent, 404 from a proxy does not", async () => {
    const bare = await serveReplies(text(404, ""));
    expect(await failureOf(read(clientFor(bare.url)))).toBeInstanceOf(api.NotFoundError);
    const proxy = await serveReplies(html(404));
    const error = await failureOf(read(clientFor(proxy.url)));
    expect(error).toBeInstanceOf(api.UnexpectedAnswerError);
    expect(error.message).toMatch(
      /^404 on GET \/x: an HTML page, so the answer is not from the API.* base URL/,
    );
  });
});

test("a response that is nested too deep is invalid", async () => {
  const { url } = await serveReplies(text(200, "[".repeat(20_000) + "]".repeat(20_000)));
  expect(await failureOf(read(clientFor(url)))).toBeInstanceOf(api.UnexpectedAnswerError);
  const dozens = await serveReplies(text(200, "[".repeat(50) + "]".repeat(50)));
  expect(await read(clientFor(dozens.url))).toBeInstanceOf(Array);
});

describe("the error message of the server", () => {
  const cases: [name: string, reply: Reply, expected: string][] = [
    ["are its message", json(400, { message: "m", error: "e" }), '"m"'],
    ["are its error if there is no message", json(400, { message: "", error: "e" }), '"e"'],
    ["are the body if it is not JSON", text(400, " plain "), '"plain"'],
    [
      "cannot move the cursor",
      json(400, { message: "a\u001b[2Jb\u202Ec\n" }),
      String.raw`"a\u001b[2Jb\u202ec\n"`,
    ],
    ["are cut off", json(400, { message: "x".repeat(10_000) }), `"${"x".repeat(500)}…"`],
    ["are cut off in a page, too", text(400, "y".repeat(10_000)), `"${"y".repeat(200)}…"`],
  ];
  test.each(cases)("%s", async (_name, reply, expected) => {
    const { url } = await serveReplies(reply);
    const [, words] = (await failureOf(read(clientFor(url)))).message.split(/ The (?:server|answer) says: /);
    expect(words).toBe(expected);
  });

  test("is left out when the server sends none", async () => {
    const { url } = await serveReplies(text(400, ""));
    expect((await failureOf(read(clientFor(url)))).message).toBe(
      "400 on GET /x: the server does not accept the request; correct the reported mistake.",
    );
  });
});

describe("faults", () => {
  const passing: Record<string, Reply> = {
    ...faults,
    "500": json(500, { message: "boom" }),
    "502": html(502),
    "503": text(503, ""),
    "504": html(504),
    "408": text(408, ""),
  };

  test.each(Object.entries(passing))("%s: a read is repeated", async (_name, fault) => {
    const { url, received } = await serveReplies(fault, fault, json(200, { id: 1 }));
    expect(await read(clientFor(url))).toEqual({ id: 1 });
    expect(received).toHaveLength(3);
  });

  test.each(Object.entries(passing))("%s: a read fails after five tries", async (_name, fault) => {
    const { url, received } = await serveReplies(fault);
    const error = await failureOf(read(clientFor(url)));
    expect(["server_error", "unreachable", "unexpected_answer"]).toContain(error.code);
    expect(error.message).toMatch(/GET \/x.*; (?:try again|the connection broke; try|check)/);
    expect(received).toHaveLength(5);
  });

  const writes = [
    ["POST", create],
    ["PUT", update],
    ["DELETE", remove],
  ] as const;
  const unclear = Object.entries(passing).flatMap(([name, fault]) =>
    writes.map(([method, use]) => [name, method, use, fault] as const),
  );
  test.each(unclear)(
    "%s: a %s is sent once and its outcome is unclear",
    async (_name, method, use, fault) => {
      const { url, received } = await serveReplies(fault, json(200, {}));
      const error = await failureOf(use(clientFor(url)));
      expect(error).toBeInstanceOf(api.UnclearOutcomeError);
      expect(error).toMatchObject({ code: "unclear_outcome", method, path: "/x" });
      expect(error.message).toMatch(
        / \/x may or may not have been carried out; check before sending it again\. /,
      );
      expect(error.cause).toBeInstanceOf(api.ApiError);
      expect(received).toHaveLength(1);
    },
  );

  test.each([201, 202])("a creation with status %d and an empty body is unclear", async (status) => {
    const { url } = await serveReplies(text(status, ""));
    expect(await failureOf(create(clientFor(url)))).toBeInstanceOf(api.UnclearOutcomeError);
  });

  test("the backoff grows from try to try", async () => {
    const { url } = await serveReplies(text(500, ""));
    const clock = quickClock();
    await failureOf(api.createClient({ baseUrl: url, token: "t", onQuota: "wait" }, clock).get("/x"));
    expect(clock.slept).toEqual([250, 500, 1000, 2000]);
  });
});

describe("responses that are not retried", () => {
  test.each([301, 302, 303, 307, 308])("a redirect (%d) is not followed", async (status) => {
    const other = await serveReplies(json(200, {}));
    const { url, received } = await serveReplies(text(status, "", { location: `${other.url}/elsewhere` }));
    const error = await failureOf(read(clientFor(url)));
    expect(error).toBeInstanceOf(api.UnexpectedAnswerError);
    expect(error.message).toContain(
      `a redirect to ${other.url}/elsewhere, which is not followed with the token`,
    );
    expect([received.length, other.received.length]).toEqual([1, 0]);
    expect(await failureOf(create(clientFor(url)))).toBeInstanceOf(api.UnclearOutcomeError);
  });

  test("a 304 is the answer of a cache, not a redirect", async () => {
    const { url } = await serveReplies(text(304, ""));
    expect((await failureOf(read(clientFor(url)))).message).toBe(
      "304 on GET /x: the answer of a cache; check whether a proxy in between caches answers.",
    );
  });

  const large: Record<string, Reply> = {
    "with its length": text(200, JSON.stringify("x".repeat(50_000))),
    "in chunks": (response) => {
      response.writeHead(200).write('"');
      for (let chunk = 0; chunk < 60; chunk += 1) response.write("x".repeat(1000));
      response.end('"');
    },
    "once decompressed": (response) => {
      response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(JSON.stringify("x".repeat(5_000_000))));
    },
  };
  test.each(Object.entries(large))("a response that is too large: %s", async (_name, reply) => {
    const { url, received } = await serveReplies(reply);
    const error = await failureOf(read(clientFor(url)));
    expect(error).toBeInstanceOf(api.UnexpectedAnswerError);
    expect(error.message).toContain("the answer to GET /x is too large: more than 50000 bytes");
    expect(received).toHaveLength(1);
    expect(await failureOf(create(clientFor(url)))).toBeInstanceOf(api.UnclearOutcomeError);
  });

  test("a response of exactly the maximum size is accepted", async () => {
    const { url } = await serveReplies(text(200, JSON.stringify("x".repeat(49_998))));
    expect(await read(clientFor(url))).toHaveLength(49_998);
  });
});
