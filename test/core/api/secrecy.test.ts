import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createWritingClient as createClient,
  type WritingClient as Client,
} from "../../../core/api/client.ts";
import type { ClientSettings } from "../../../core/api/index.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { faults, html, json, serveReplies, text } from "../../fixtures/http-server.ts";
import type { Reply } from "../../fixtures/http-server.ts";

// With characters that URLs and JSON texts escape.
const TOKEN = 'c4nary/+="<&>\\tok3n-c4nary';
const FRAGMENTS = ["c4nary", "tok3n"];

/** Every text that can be obtained from an error. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 10, showHidden: true });
  const own = Object.getOwnPropertyNames(error).map((name) => [
    name,
    inspect(Reflect.get(error, name), { depth: 10, showHidden: true }),
  ]);
  const inner = error.cause === undefined ? "" : everythingOf(error.cause);
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: 10, showHidden: true, getters: true }),
    JSON.stringify(own),
    inner,
  ].join("\n");
}

const echo = (status: number, headers: Record<string, string> = {}): [name: string, reply: Reply] => [
  `${status} with the token in its message`,
  json(
    status,
    { status, error: `Token ${TOKEN}`, message: `who is ${TOKEN}? ${"x".repeat(490)}${TOKEN}` },
    headers,
  ),
];

const replies: [name: string, reply: Reply][] = [
  ...Object.entries(faults),
  ...[400, 401, 403, 404, 408, 409, 422, 429, 500, 503].map((status) => echo(status)),
  ["the token in its text", text(400, `${"y".repeat(190)}${TOKEN}`)],
  [
    "the token in its text, cut off",
    text(404, `<html>${TOKEN} ${encodeURIComponent(TOKEN)} ${JSON.stringify(TOKEN)}`),
  ],
  ["the token in a redirect", text(302, "", { location: `/login?token=${encodeURIComponent(TOKEN)}` })],
  [
    "the token in a longer redirect",
    text(302, "", { location: `/${"l".repeat(190)}${encodeURIComponent(TOKEN)}` }),
  ],
  ["too much", text(200, JSON.stringify(TOKEN.repeat(1000)))],
  ["an HTML page", html(502)],
  ["a list of another shape", json(200, { results: TOKEN })],
];

const uses: [method: string, use: (client: Client) => Promise<unknown>][] = [
  ["get", (client) => client.get("/x", { q: 1 })],
  ["list", (client) => client.list("/x")],
  ["post", (client) => client.post("/x", { name: "a" })],
  ["put", (client) => client.put("/x", { name: "a" })],
  ["delete", (client) => client.delete("/x")],
];

describe.each(uses)("the token is never visible after a failed %s", (_method, use) => {
  const log: unknown[] = [];
  beforeEach(() => {
    log.length = 0;
  });
  const settings = (baseUrl: string, more: Partial<ClientSettings> = {}): ClientSettings => ({
    baseUrl,
    token: TOKEN,
    onQuota: "fail",
    maxResponseSize: 5000,
    logger: { debug: (...line) => log.push(line) },
    onWait: (wait) => log.push(wait),
    ...more,
  });
  const tokensIn = (error: unknown) => {
    const seen = everythingOf(error) + inspect(log, { depth: 10 });
    return FRAGMENTS.filter((fragment) => seen.includes(fragment));
  };

  test.each(replies)("%s", async (_name, reply) => {
    const { url, received } = await serveReplies(reply);
    const client = createClient(settings(url), quickClock());
    const error: unknown = await use(client).catch((reason: unknown) => reason);
    expect(received[0]?.headers.authorization).toBe(`Token ${TOKEN}`);
    expect(tokensIn(error instanceof Error ? error : undefined)).toEqual([]);
  });

  test("in the client itself", async () => {
    const { url } = await serveReplies(json(400, { message: TOKEN }));
    const client = createClient(settings(url), quickClock());
    await failureOf(use(client));
    expect(inspect(client, { depth: 10, showHidden: true, getters: true })).not.toContain("c4nary");
  });

  test("after a refused connection", async () => {
    expect(
      tokensIn(await failureOf(use(createClient(settings("http://127.0.0.1:1"), quickClock())))),
    ).toEqual([]);
  });

  test("after a time-out", async () => {
    const { url } = await serveReplies(() => {});
    expect(
      tokensIn(await failureOf(use(createClient(settings(url, { requestTimeout: 20 }), quickClock())))),
    ).toEqual([]);
  });

  test("after an interruption", async () => {
    const controller = new AbortController();
    const { url } = await serveReplies((response) => {
      controller.abort(new Error(TOKEN));
      response.writeHead(500).end();
    });
    const client = createClient(settings(url, { signal: controller.signal }), quickClock());
    expect(tokensIn(await failureOf(use(client)))).toEqual([]);
    expect(tokensIn(await failureOf(use(client)))).toEqual([]);
  });
});

test.each([
  ["cut off", text(201, '{"token":"c4nary-tok3n')],
  ["after a failure of the server", json(502, { message: "made c4nary-tok3n" })],
])("no message quotes an answer that has a secret: %s", async (_name, reply) => {
  const { url } = await serveReplies(reply);
  const client = createClient({ baseUrl: url, token: "other-token", onQuota: "fail" }, quickClock());
  const error = await failureOf(client.submit("/x", {}, { isAnswerSecret: true }));
  expect(FRAGMENTS.filter((fragment) => everythingOf(error).includes(fragment))).toEqual([]);
  expect(everythingOf(await failureOf(client.submit("/x", {})))).toContain("c4nary");
});

test.each(["1", "1234", "s3cret", " 42 "])(
  "no answer to a request with a secret that is too short to be found is quoted: %j",
  async (secret) => {
    const said = `the value ${[...secret].toReversed().join("")} of KEY (${Buffer.from(secret).toString("hex")})`;
    const { url } = await serveReplies(json(400, { message: said }));
    const client = createClient({ baseUrl: url, token: TOKEN, onQuota: "fail" }, quickClock());
    client.hide(secret);
    const refused = await failureOf(client.post("/variable", { key: "KEY", inside: [{ value: secret }] }));
    expect(everythingOf(refused)).not.toContain("of KEY");
    expect(refused).toMatchObject({ message: expect.stringContaining("[secret]") });
    expect(everythingOf(await failureOf(client.post("/variable", { key: "KEY" })))).toContain("of KEY");
  },
);

test("a secret that begins another one does not leave the rest of the other one visible", async () => {
  const { url } = await serveReplies(json(400, { message: "the value first-onesEcond is refused" }));
  const client = createClient({ baseUrl: url, token: TOKEN, onQuota: "fail" }, quickClock());
  for (const secret of ["first-one", "first-onesEcond"]) client.hide(secret);
  const refused = await failureOf(client.post("/variable", { key: "KEY" }));
  expect(everythingOf(refused)).toContain("[secret]");
  expect(everythingOf(refused)).not.toContain("sEcond");
});
