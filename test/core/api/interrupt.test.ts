import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../../core/api/index.ts";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import type { ClientSettings } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { json, serve, serveReplies, text } from "../../fixtures/http-server.ts";

const HOUR = 3600;

function setUp(baseUrl: string, more: Partial<ClientSettings> = {}) {
  const controller = new AbortController();
  const client = createClient({ baseUrl, token: "t", onQuota: "wait", signal: controller.signal, ...more });
  return { client, controller };
}

describe("the signal", () => {
  test("ends all waits for the quota at once", async () => {
    const { url, received } = await serveReplies(json(429, {}, { "retry-after": String(HOUR) }));
    const { client, controller } = setUp(url, {
      onWait: () => {
        setTimeout(() => {
          controller.abort();
        }, 10);
      },
    });
    const errors = await Promise.all([
      failureOf(client.get("/x")),
      failureOf(client.post("/y")),
      failureOf(client.delete("/z")),
    ]);
    expect(errors.map((error) => [error.code, error.path])).toEqual([
      ["interrupted", "/x"],
      ["interrupted", "/y"],
      ["interrupted", "/z"],
    ]);
    expect(received).toHaveLength(1);
  });

  test("ends the wait before a retry", async () => {
    const { url, received } = await serveReplies(text(503, "", { "retry-after": "60" }));
    const { client, controller } = setUp(url, {
      onWait: ({ reason }) => {
        expect(reason).toBe("retry");
        setTimeout(() => {
          controller.abort();
        }, 10);
      },
    });
    expect(await failureOf(client.get("/x"))).toBeInstanceOf(InterruptedError);
    expect(received).toHaveLength(1);
  });

  test("ends a read in progress", async () => {
    const { url } = await serve(() => {
      controller.abort();
    });
    const { client, controller } = setUp(url);
    const error = await failureOf(client.get("/x"));
    expect(error).toBeInstanceOf(InterruptedError);
    expect(error.message).toBe("GET /x was interrupted");
  });

  test("ends a read in the middle of the response", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200).write("[");
      setTimeout(() => {
        controller.abort();
      }, 20);
    });
    const { client, controller } = setUp(url);
    expect(await failureOf(client.list("/x"))).toBeInstanceOf(InterruptedError);
  });

  test.each(["POST", "PUT", "DELETE"])("lets a %s in progress finish", async (method) => {
    const { url } = await serve(async (_request, response) => {
      controller.abort();
      await wait(50);
      response.end('{"id":1}');
    });
    const { client, controller } = setUp(url);
    const uses: Record<string, () => Promise<unknown>> = {
      POST: () => client.post("/x"),
      PUT: () => client.put("/x", {}),
      DELETE: () => client.delete("/x"),
    };
    await uses[method]?.();
    expect(controller.signal.aborted).toBe(true);
    expect(await failureOf(client.get("/y"))).toBeInstanceOf(InterruptedError);
  });

  test("prevents all later requests", async () => {
    const { url, received } = await serveReplies(json(200, {}));
    const { client, controller } = setUp(url);
    controller.abort();
    const error = await failureOf(client.post("/x"));
    expect(error).toBeInstanceOf(InterruptedError);
    expect(error.message).toBe("POST /x was not sent: interrupted");
    expect([received.length, client.spent.total]).toEqual([0, 0]);
  });

  test("cancels queued requests", async () => {
    const { url, received } = await serveReplies(async (response) => {
      controller.abort();
      await wait(20);
      response.end("{}");
    });
    const { client, controller } = setUp(url);
    const results = await Promise.allSettled([client.post("/1"), client.post("/2"), client.post("/3")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(received).toHaveLength(1);
  });
});

describe("an operation that has started", () => {
  test("can finish after the signal, including retries", async () => {
    const { url, received } = await serveReplies(text(503, ""), json(200, { id: 1 }));
    const controller = new AbortController();
    const settings: ClientSettings = { baseUrl: url, token: "t", onQuota: "wait", signal: controller.signal };
    const client = createClient(settings, quickClock());
    controller.abort();
    expect(await client.finishing.get("/x")).toEqual({ id: 1 });
    expect(await client.finishing.post("/x")).toEqual({ id: 1 });
    expect(await failureOf(client.get("/x"))).toBeInstanceOf(InterruptedError);
    expect(received).toHaveLength(3);
    expect([client.spent.total, client.finishing.spent.total]).toEqual([3, 3]);
  });

  test("does not wait for the quota after the signal", async () => {
    const { url, received } = await serveReplies(json(429, {}, { "retry-after": String(HOUR) }));
    const { client, controller } = setUp(url, {
      onWait: () => {
        setTimeout(() => {
          controller.abort();
        }, 10);
      },
    });
    expect(await failureOf(client.finishing.get("/x"))).toBeInstanceOf(InterruptedError);
    expect(await failureOf(client.finishing.post("/x"))).toBeInstanceOf(InterruptedError);
    expect(received).toHaveLength(1);
  });
});
