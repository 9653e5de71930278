import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { HintBox, serveWebhook } from "../../reconciler/webhook/index.ts";
import { rest } from "../../reconciler/service/rest.ts";
import { TestClock } from "./fixture.ts";

const secret = "a-secret-canary";
const body = JSON.stringify({ ref: "refs/heads/main", commits: [] });
const hex = (text: string | Buffer, key = secret) => createHmac("sha256", key).update(text).digest("hex");

/** A server for webhooks; `hints` counts those that were right. */
async function startWebhook(given: string | undefined = secret) {
  const state: { hints: number; secret: string | undefined } = { hints: 0, secret: given };
  const served = await serveWebhook({
    host: "127.0.0.1",
    port: 0,
    receiver: (name) =>
      name === undefined
        ? { secret: () => Promise.resolve(state.secret), onHint: () => void (state.hints += 1) }
        : undefined,
  });
  onTestFinished(() => served.close());
  const post = async (headers: Record<string, string>, sent: string | Buffer = body) => {
    const answer = await fetch(served.url, { method: "POST", headers, body: sent });
    await answer.text();
    return answer.status;
  };
  return Object.assign(state, { url: served.url, post });
}

/** The headers of Standard Webhooks, as GitLab sends them. */
function standard(key: Buffer | string, sent = body, id = "msg_1", time = "1700000000") {
  const signature = createHmac("sha256", key).update(`${id}.${time}.${sent}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,b3RoZXI= v1,${signature}` };
}

test.each([
  ["GitHub", { "x-hub-signature-256": `sha256=${hex(body)}`, "x-github-event": "push" }],
  ["Gitea", { "x-gitea-signature": hex(body), "x-gitea-event": "push" }],
  ["GitLab with its token", { "x-gitlab-token": secret, "x-gitlab-event": "Push Hook" }],
  ["Standard Webhooks", standard(secret)],
])("a webhook as %s signs it is a hint", async (_forge, headers) => {
  const webhook = await startWebhook();
  expect(await webhook.post(headers)).toBe(202);
  expect(webhook.hints).toBe(1);
});

test("a secret in the form of Standard Webhooks is Base64", async () => {
  const key = Buffer.from("0123456789abcdef0123456789abcdef");
  const webhook = await startWebhook(`whsec_${key.toString("base64")}`);
  expect(await webhook.post(standard(key))).toBe(202);
  expect(await webhook.post(standard(secret))).toBe(401);
});

test.each([
  ["without a signature", {}],
  ["signed with another secret", { "x-hub-signature-256": `sha256=${hex(body, "another")}` }],
  ["with the signature of another body", { "x-hub-signature-256": `sha256=${hex("{}")}` }],
  ["with half a signature", { "x-hub-signature-256": `sha256=${hex(body).slice(0, 32)}` }],
  ["with an old kind of signature", { "x-hub-signature": "sha1=0000" }],
  ["of Gitea with another signature", { "x-gitea-signature": hex(body, "another") }],
  ["of GitLab with another token", { "x-gitlab-token": `${secret}x` }],
  ["of GitLab with an empty token", { "x-gitlab-token": "" }],
  ["of Standard Webhooks with another time", { ...standard(secret), "webhook-timestamp": "1700000001" }],
  ["of Standard Webhooks without an id", { ...standard(secret), "webhook-id": "" }],
])("a webhook %s is refused", async (_what, headers) => {
  const webhook = await startWebhook();
  expect(await webhook.post(headers)).toBe(401);
  expect(webhook.hints).toBe(0);
});

test("without a secret no webhook is accepted, and a new secret counts at once", async () => {
  const webhook = await startWebhook();
  webhook.secret = undefined;
  expect(await webhook.post({ "x-gitlab-token": "" })).toBe(403);
  expect(await webhook.post({ "x-hub-signature-256": `sha256=${hex(body, "")}` })).toBe(403);
  webhook.secret = "another";
  expect(await webhook.post({ "x-hub-signature-256": `sha256=${hex(body, "another")}` })).toBe(202);
});

test("another path or method is refused", async () => {
  const { url } = await startWebhook();
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url.replace("/git", ""), { method: "POST" })).status).toBe(404);
});

test("a body of 25 MB is checked, a larger one is refused, and neither is kept", async () => {
  const webhook = await startWebhook();
  const large = Buffer.alloc(25 * 1024 * 1024, "x");
  expect(await webhook.post({ "x-hub-signature-256": `sha256=${hex(large)}` }, large)).toBe(202);
  const larger = Buffer.concat([large, Buffer.from("x")]);
  // The server answers before everything is sent, so the sender may see the connection end.
  const refused = await webhook
    .post({ "x-hub-signature-256": `sha256=${hex(larger)}` }, larger)
    .catch(() => 413);
  expect(refused).toBe(413);
  expect(webhook.hints).toBe(1);
});

test("a body that is longer than announced at first is refused as well", async () => {
  const webhook = await startWebhook();
  const { hostname, port } = new URL(webhook.url);
  const socket = connect(Number(port), hostname);
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
  let answer = "";
  socket.on("data", (data) => (answer += String(data)));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  socket.write(
    `POST /webhook/git HTTP/1.1\r\nhost: x\r\nx-gitlab-token: ${secret}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  for (let sent = 0; sent < 27 && !socket.destroyed; sent += 1)
    await new Promise((resolve) => {
      socket.write(framed, resolve);
    });
  await closed;
  expect(webhook.hints).toBe(0);
  expect(answer === "" || answer.startsWith("HTTP/1.1 413")).toBe(true);
});

test("a webhook that is cut off is no hint", async () => {
  const webhook = await startWebhook();
  const { hostname, port } = new URL(webhook.url);
  const socket = connect(Number(port), hostname);
  const cutOff = `POST /webhook/git HTTP/1.1\r\nhost: x\r\nx-hub-signature-256: sha256=${hex(body)}\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`;
  await new Promise((resolve) => {
    socket.write(cutOff, resolve);
  });
  // Each later webhook is answered after the server has seen what the socket has done before.
  expect(await webhook.post({ "x-gitlab-token": secret })).toBe(202);
  socket.destroy();
  expect(await webhook.post({ "x-gitlab-token": secret })).toBe(202);
  expect(webhook.hints).toBe(2);
});

test.each([
  "",
  "POST /webhook/git HTTP/1.1\r\nhost: x\r\n",
  "POST /webhook/git HTTP/1.1\r\ncontent-length: 9\r\n",
])(
  "a genuine webhook is served while a thousand connections are open that have sent %j and no more",
  async (started) => {
    const webhook = await startWebhook();
    const { hostname, port } = new URL(webhook.url);
    const open = Array.from({ length: 1000 }, () => connect(Number(port), hostname));
    onTestFinished(() => open.forEach((socket) => void socket.destroy()));
    await Promise.all(
      open.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.on("error", () => resolve()).once("close", () => resolve());
            socket.once("connect", () => socket.write(started, () => resolve()));
          }),
      ),
    );
    for (let each = 0; each < 5; each += 1)
      expect(await webhook.post({ "x-gitlab-token": secret })).toBe(202);
    expect(webhook.hints).toBe(5);
    expect(open.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(100);
  },
);

test("large headers are refused", async () => {
  const webhook = await startWebhook();
  expect(await webhook.post({ "x-gitlab-token": secret, "x-long": "x".repeat(9000) })).toBe(431);
  expect(webhook.hints).toBe(0);
});

test("a thousand replays make one look, and keep nothing in memory", async () => {
  const clock = new TestClock();
  const hints = new HintBox(clock);
  const started = clock.now();
  const refreshes: number[] = [];
  for (let replay = 0; replay < 1000; replay += 1) hints.hint();
  await rest(
    {
      reconciler: {
        hasNews() {
          refreshes.push(clock.now() - started);
          // More of them come while the repository is looked at.
          if (refreshes.length === 1) for (let replay = 0; replay < 1000; replay += 1) hints.hint();
          return Promise.resolve(false);
        },
      },
      clock,
      interval: 60_000,
      signal: new AbortController().signal,
      hints,
    },
    started + 60_000,
    () => started + 60_000,
  );
  expect(refreshes).toEqual([500, 2500]);
});

test("a hint wakes at once, and a signal ends the wait", async () => {
  const stop = new AbortController();
  const { systemClock } = await import("../../core/api/index.ts");
  const hints = new HintBox(systemClock);
  const waiting = hints.wait(60_000, stop.signal);
  hints.hint();
  expect(await waiting).toBe(true);
  const second = hints.wait(60_000, stop.signal);
  stop.abort();
  expect(await second).toBe(false);
});
