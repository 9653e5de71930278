import type { ServerResponse } from "node:http";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import type { ClientSettings, Clock, Wait } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { json, serve, serveReplies, text } from "../../fixtures/http-server.ts";

const unix = (milliseconds: number) => String(Math.floor(milliseconds / 1000));
const settings = (baseUrl: string, onQuota: "wait" | "fail"): ClientSettings => ({
  baseUrl,
  token: "t",
  onQuota,
});
const left = (remaining: number, resetIn = 600_000) => ({
  "x-ratelimit-limit": "1000",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": unix(Date.now() + resetIn),
});

/** A logger that knows how many responses the client has got with a status. */
function countingLogger(status: number) {
  const counted = { count: 0 };
  const debug = (fields: Record<string, unknown>) =>
    void (fields["status"] === status && (counted.count += 1));
  return { counted, debug };
}

describe("known quota and used requests", () => {
  test("budget and spent", async () => {
    const id = "7f9c24e8-3b12-4fef-91d0-1c4d2f6e8a90";
    const { url } = await serveReplies(json(200, {}, left(998)), json(404, {}, left(997)));
    const client = createClient(settings(url, "fail"));
    expect([client.budget, client.spent]).toEqual([{}, { total: 0, byOperation: {} }]);
    await client.get(`/job/${id}`);
    await failureOf(client.put(`/job/${id}`, {}));
    await failureOf(client.get(`/job/${id}`));
    expect(client.budget).toMatchObject({ limit: 1000, remaining: 997 });
    expect(client.budget.resetAt?.getTime()).toBeGreaterThan(Date.now() + 590_000);
    expect(client.spent).toEqual({ total: 3, byOperation: { "GET /job/{id}": 2, "PUT /job/{id}": 1 } });
  });

  test("the log has one line for each request, without headers and bodies", async () => {
    const lines: object[] = [];
    const logger = { debug: (fields: object, message: string) => lines.push({ message, ...fields }) };
    const { url } = await serveReplies(text(500, "secret"), json(200, { secret: 1 }, left(12)));
    await createClient({ ...settings(url, "wait"), logger }, quickClock()).get("/x", { q: "y" });
    const line = {
      message: "request",
      method: "GET",
      path: "/x",
      milliseconds: expect.any(Number) as number,
    };
    expect(lines).toEqual([
      { ...line, status: 500, remaining: undefined },
      { ...line, status: 200, remaining: 12 },
    ]);
  });
});

describe("429, when the run may wait", () => {
  const headers: [name: string, headers: Record<string, string>, least: number, most: number][] = [
    ["Retry-After", { "retry-after": "40" }, 40_000, 40_000],
    ["a reset", { "x-ratelimit-reset": unix(Date.now() + 90_000) }, 85_000, 91_000],
    ["a reset in the past", { "x-ratelimit-reset": "1000" }, 0, 0],
    ["Retry-After 0", { "retry-after": "0" }, 0, 0],
    ["a reset in a year", { "x-ratelimit-reset": unix(Date.now() + 31_536_000_000) }, 1000, 1000],
    ["nothing", {}, 1000, 1000],
    ["something left, and a reset that is far away", left(980, 2_400_000), 1000, 1000],
    [
      "nothing left, and a Retry-After before the reset",
      { ...left(0), "retry-after": "5" },
      // The reset is computed when the file is loaded, which a busy machine may have done a while ago.
      300_000,
      601_000,
    ],
    ["something left, and a Retry-After", { ...left(500), "retry-after": "5" }, 5000, 5000],
  ];
  const methods = ["GET", "POST", "PUT", "DELETE"] as const;
  const all = headers.flatMap((line) => methods.map((method) => [...line, method] as const));
  test.each(all)(
    "with %s: a read waits and is sent again, a write is not sent again",
    async (_name, answered, least, most, method) => {
      const { url, received } = await serveReplies(json(429, {}, answered), json(200, { id: 1 }, left(100)));
      const clock = quickClock();
      const client = createClient(settings(url, "wait"), clock);
      const write = {
        GET: undefined,
        POST: () => client.post("/x", {}),
        PUT: () => client.put("/x", {}),
        DELETE: () => client.delete("/x"),
      }[method];
      if (write) expect(await failureOf(write())).toMatchObject({ code: "rate_limited", method });
      await client.get("/x");
      expect(received.map((request) => request.method)).toEqual([method, "GET"]);
      const slept = clock.slept.reduce((sum, part) => sum + part, 0);
      expect(slept).toBeGreaterThanOrEqual(least);
      expect(slept).toBeLessThanOrEqual(most);
    },
  );

  test("repeats without a limit, a little later each time", async () => {
    const limited = json(429, {});
    const { url } = await serveReplies(...Array.from({ length: 12 }, () => limited), json(200, {}));
    const clock = quickClock();
    await createClient(settings(url, "wait"), clock).get("/x");
    expect(clock.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(Math.max(...clock.slept)).toBe(30_000);
  });

  test("all requests wait together, announce one wait, and then continue slowly", async () => {
    const limited: ServerResponse[] = [];
    let open = 0;
    const atOnce: number[] = [];
    const { url } = await serve((request, response) => {
      if (atOnce.length >= 20 && limited.length < 10) {
        // All that are sent at the same time are refused together.
        limited.push(response);
        if (limited.length < 10) return;
        open = 0;
        for (const each of limited) void json(429, {}, { "retry-after": "60" })(each, request);
        return;
      }
      open += 1;
      atOnce.push(open);
      setTimeout(() => {
        open -= 1;
        void json(200, {}, left(500))(response, request);
      }, 10);
    });
    const logger = countingLogger(429);
    const waits: Wait[] = [];
    const quick = quickClock();
    const clock: Clock = {
      ...quick,
      async sleep(milliseconds, signal) {
        while (logger.counted.count < 10) await turn();
        atOnce.length = 0;
        await quick.sleep(milliseconds, signal);
      },
    };
    const onWait = (waiting: Wait) => waits.push(waiting);
    const client = createClient({ ...settings(url, "wait"), logger, onWait }, clock);
    const started = clock.now();
    await Promise.all(Array.from({ length: 60 }, () => client.get("/x")));
    expect(waits).toEqual([
      { reason: "limited", until: expect.any(Date) as Date, attempt: expect.any(Number) as number },
    ]);
    expect(waits[0]?.until.getTime()).toBeGreaterThanOrEqual(started + 60_000);
    expect(atOnce.slice(0, 3)).toEqual([1, 1, 2]);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(10);
  });
});

describe("several 429 in a row", () => {
  test("are counted from zero after a successful response", async () => {
    const limited = json(429, {});
    const { url } = await serveReplies(limited, limited, text(404, ""), limited, json(200, {}));
    const clock = quickClock();
    const client = createClient(settings(url, "wait"), clock);
    await failureOf(client.get("/x"));
    await client.get("/x");
    expect(clock.slept).toEqual([1000, 2000, 1000]);
  });
});

describe("many simultaneous 429", () => {
  test("cause one wait", async () => {
    let arrived = 0;
    const limited: ServerResponse[] = [];
    const { url } = await serve((_request, response) => {
      arrived += 1;
      if (arrived <= 50 || arrived > 60) {
        response.end("{}");
        return;
      }
      limited.push(response);
      if (limited.length === 10) for (const each of limited) each.writeHead(429).end("{}");
    });
    const logger = countingLogger(429);
    const quick = quickClock();
    const clock: Clock = {
      ...quick,
      async sleep(milliseconds, signal) {
        while (logger.counted.count < 10) await turn();
        await quick.sleep(milliseconds, signal);
      },
    };
    const waits: Wait[] = [];
    const client = createClient(
      { ...settings(url, "wait"), logger, onWait: (waiting) => waits.push(waiting) },
      clock,
    );
    await Promise.all(Array.from({ length: 80 }, () => client.get("/x")));
    expect(waits.map(({ attempt }) => attempt)).toEqual([1]);
    expect(quick.slept).toEqual([1000]);
  });
});

describe("no remaining quota", () => {
  test("nothing is sent before the reset, when the run may wait", async () => {
    const clock = quickClock();
    const sentAt: number[] = [];
    const { url } = await serve((_request, response) => {
      sentAt.push(clock.now());
      const headers = sentAt.length === 1 ? left(0, 50_000) : left(9, 3_600_000);
      response.writeHead(200, headers).end("{}");
    });
    const client = createClient(settings(url, "wait"), clock);
    await client.get("/x");
    expect(clock.slept).toEqual([]);
    await Promise.all([client.get("/x"), client.get("/x")]);
    expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBeGreaterThan(48_000);
    expect(sentAt).toHaveLength(3);
  });

  test("no more requests are in progress than the remaining quota allows", async () => {
    let remaining = 24;
    const { url } = await serve((_request, response) => {
      remaining -= 1;
      const headers = left(Math.max(0, remaining));
      setTimeout(() => {
        response.writeHead(remaining < 0 ? 429 : 200, headers).end("{}");
      }, 5);
    });
    const client = createClient(settings(url, "fail"));
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => client.get("/x")));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(24);
    expect(remaining).toBe(0);
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    expect(new Set(reasons.map((reason) => (reason as Error).name))).toEqual(new Set(["QuotaError"]));
  });
});

describe("when the run may not wait", () => {
  test("a 429 stops the run cleanly and reports the reset time", async () => {
    const { url, received } = await serveReplies(
      json(200, {}, left(5)),
      json(429, { message: "slow down" }, left(0)),
    );
    const clock = quickClock();
    const client = createClient(settings(url, "fail"), clock);
    await client.get("/x");
    const error = await failureOf(client.post("/x"));
    expect(error).toMatchObject({ code: "rate_limited", status: 429, method: "POST", path: "/x" });
    expect(error.resetAt?.getTime()).toBeGreaterThan(clock.now() + 590_000);
    expect(error.message).toMatch(/^POST \/x was not carried out: .* used up until \d{4}-\S+$/);
    expect(error.remedies).toEqual([{ again: "later" }, { setting: "on_quota", value: "wait" }]);
    const next = await Promise.all([failureOf(client.get("/y")), failureOf(client.delete("/z"))]);
    expect(next.map(({ code, path }) => [code, path])).toEqual([
      ["rate_limited", "/y"],
      ["rate_limited", "/z"],
    ]);
    expect([received.length, clock.slept]).toEqual([2, []]);
  });

  test("a 429 that says nothing is no used up quota, and names no time", async () => {
    const { url } = await serveReplies(json(200, {}, left(980)), json(429, {}, left(980)));
    const client = createClient(settings(url, "fail"), quickClock());
    await client.get("/x");
    const error = await failureOf(client.get("/x"));
    expect(error.message).toBe(
      "GET /x was not carried out: the server takes no requests for a while (429) and does not say until when",
    );
    expect(error.resetAt).toBeUndefined();
    expect(error.remedies).toContainEqual({ setting: "quota_patience" });
  });

  test("a 429 that says nothing stops requests for a moment, and not for good", async () => {
    const { url, received } = await serveReplies(json(429, {}), json(429, {}), json(200, { id: 1 }));
    const clock = quickClock();
    const client = createClient(settings(url, "fail"), clock);
    await failureOf(client.get("/x"));
    await failureOf(client.get("/x"));
    expect(received).toHaveLength(1);
    await clock.sleep(1000);
    await failureOf(client.get("/x"));
    expect(received).toHaveLength(2);
    await clock.sleep(2000);
    expect(await client.get("/x")).toEqual({ id: 1 });
  });

  test("a 429 stays the reason, whatever the other requests return", async () => {
    const { url } = await serveReplies(
      json(200, {}, left(9)),
      json(429, {}, left(0)),
      async (response, request) => {
        await wait(50);
        await json(200, {}, left(0))(response, request);
      },
    );
    const client = createClient(settings(url, "fail"));
    await client.get("/x");
    const [limited] = await Promise.all([failureOf(client.get("/x")), client.get("/x")]);
    expect([limited.code, (await failureOf(client.get("/x"))).code]).toEqual([
      "rate_limited",
      "rate_limited",
    ]);
  });

  test("after the reset requests are sent again", async () => {
    const { url } = await serveReplies(json(429, {}, left(0)), json(200, {}, left(1000, 3_600_000)));
    const clock = quickClock();
    const client = createClient(settings(url, "fail"), clock);
    await failureOf(client.get("/x"));
    await clock.sleep(602_000);
    expect(await client.get("/x")).toEqual({});
  });

  test("no remaining quota throws a QuotaError before anything is sent", async () => {
    const { url, received } = await serveReplies(json(200, {}, left(0)));
    const client = createClient(settings(url, "fail"));
    await client.get("/x");
    const error = await failureOf(client.put("/x", {}));
    expect(error).toMatchObject({ code: "quota", path: "/x" });
    expect(error.resetAt).toBeInstanceOf(Date);
    expect(error.status).toBeUndefined();
    expect(received).toHaveLength(1);
  });
});

describe("the request limit of a run", () => {
  test.each(["wait", "fail"] as const)("is not exceeded (%s)", async (onQuota) => {
    const { url, received } = await serveReplies(json(200, {}));
    const client = createClient({ ...settings(url, onQuota), maxRequests: 3 });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => client.get("/x")));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const error = await failureOf(client.get("/x"));
    expect(error.code).toBe("quota");
    expect(error.message).toBe("GET /x was not sent: this run has sent its 3 requests");
    expect(error.remedies).toEqual([{ setting: "max_requests" }, { again: "run" }]);
    expect(received).toHaveLength(3);
  });

  test("counts retries", async () => {
    const { url, received } = await serveReplies(text(500, ""));
    const client = createClient({ ...settings(url, "wait"), maxRequests: 2 }, quickClock());
    expect((await failureOf(client.get("/x"))).code).toBe("quota");
    expect(received).toHaveLength(2);
  });

  test("leaves a DELETE unclear when it stops the retries", async () => {
    const { url } = await serveReplies(text(500, ""));
    const client = createClient({ ...settings(url, "wait"), maxRequests: 1 }, quickClock());
    expect((await failureOf(client.delete("/x"))).code).toBe("unclear_outcome");
  });
});

describe("patience, when the run may not wait for the quota", () => {
  const patient = (url: string, clock: Clock, quotaPatience = 30_000) =>
    createClient({ ...settings(url, "fail"), quotaPatience }, clock);

  test.each([
    ["Retry-After", () => ({ "retry-after": "5" })],
    ["a reset", () => ({ "x-ratelimit-reset": unix(Date.now() + 6000) })],
    ["nothing, again and again", () => ({})],
  ])("one 429 with %s that is close is waited for", async (_name, close) => {
    const headers = close();
    const limited = json(429, {}, headers);
    const many = Object.keys(headers).length === 0 ? [limited, limited, limited] : [limited];
    const { url, received } = await serveReplies(...many, json(200, { id: 1 }, left(9)));
    const clock = quickClock();
    expect(await patient(url, clock).get("/x")).toEqual({ id: 1 });
    expect(received).toHaveLength(many.length + 1);
    expect(clock.slept.reduce((sum, part) => sum + part, 0)).toBeGreaterThanOrEqual(4000);
  });

  test("429 with a time that is too far away ends the run at once", async () => {
    const { url, received } = await serveReplies(json(429, {}, { "retry-after": "31" }));
    const clock = quickClock();
    const error = await failureOf(patient(url, clock).get("/x"));
    expect(error.code).toBe("rate_limited");
    expect(error.message).toMatch(/takes no requests for a while \(429\) and asks to wait until \d{4}-/);
    expect(error.resetAt?.getTime()).toBe(clock.now() + 31_000);
    expect([received.length, clock.slept]).toEqual([1, []]);
  });

  test("429 without a time ends the run when the patience is over, and says for how long it lasted", async () => {
    const { url } = await serveReplies(json(429, {}));
    const clock = quickClock();
    const error = await failureOf(patient(url, clock).get("/x"));
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 15_000]);
    expect(error.message).toContain("(429, for 30 s now) and does not say until when");
  });

  test("429 in a row exhaust the patience; an answer in between renews it", async () => {
    const limited = json(429, {}, { "retry-after": "12" });
    const done = json(200, {});
    const renewed = await serveReplies(limited, limited, done, limited, limited, done);
    const client = patient(renewed.url, quickClock());
    await client.get("/x");
    await client.get("/x");
    expect(renewed.received).toHaveLength(6);

    const { url, received } = await serveReplies(limited, limited, limited, done);
    expect((await failureOf(patient(url, quickClock()).get("/x"))).code).toBe("rate_limited");
    expect(received).toHaveLength(3);
  });

  test("none means none", async () => {
    const { url } = await serveReplies(json(429, {}, { "retry-after": "1" }));
    expect((await failureOf(patient(url, quickClock(), 0).get("/x"))).code).toBe("rate_limited");
  });
});
