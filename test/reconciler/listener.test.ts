import { readdirSync } from "node:fs";
import { connect, type NetConnectOpts } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { fastifyLimits, requestLimits } from "../../reconciler/listener.ts";
import { FolderLock } from "../../reconciler/lock.ts";
import { serveSocket } from "../../reconciler/show/socket.ts";
import { serveWebhook } from "../../reconciler/webhook/index.ts";
import { showPage } from "./show/page-fixture.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const shipped = { ...requestLimits };
const shippedOfFastify = { ...fastifyLimits };

beforeEach(() => {
  Object.assign(requestLimits, { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 20 });
  Object.assign(fastifyLimits, { requestTimeout: 400 });
  return () => {
    Object.assign(requestLimits, shipped);
    Object.assign(fastifyLimits, shippedOfFastify);
  };
});

async function newFolder() {
  const folder = temporaryFolder("listener");
  return folder;
}

function placeOf(url: string): NetConnectOpts {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port) };
}

const listeners: Record<string, () => Promise<NetConnectOpts>> = {
  page: async () => placeOf((await showPage()).url),
  async webhook() {
    const served = await serveWebhook({ host: "127.0.0.1", port: 0, receiver: () => undefined });
    onTestFinished(() => served.close());
    return placeOf(served.url);
  },
  async socket() {
    const folder = await newFolder();
    const answer = () => Promise.resolve({ status: 200, body: {} as never });
    const served = await serveSocket(folder, answer);
    onTestFinished(() => served.close());
    return { path: join(folder, "control", "service.sock") };
  },
  async lock() {
    const folder = await newFolder();
    const held = await new FolderLock(folder).take(new AbortController().signal, () => undefined);
    onTestFinished(() => held?.release());
    return { path: join(folder, readdirSync(folder)[0] ?? "") };
  },
};

/** What a listener answers to a text until it ends the connection. */
function answerTo(place: NetConnectOpts, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(place, () => socket.write(text));
    socket.on("error", reject).on("data", (data) => void (answer += String(data)));
    socket.once("close", () => resolve(answer));
  });
}

const half = "GET / HTTP/1.1\r\nhost: ";
const secondHalf = `GET / HTTP/1.1\r\nhost: localhost\r\n\r\n${half}`;
const form = "content-type: application/x-www-form-urlencoded\r\ncontent-length: 10";
const noBody = `POST /enter HTTP/1.1\r\nhost: localhost\r\n${form}\r\n\r\n`;

test.each([
  ["page", "half a header", half, /^/],
  ["page", "half of a second header", secondHalf, /^HTTP\/1.1 200 [^]*HTTP\/1.1 408 /],
  ["page", "no body", noBody, /^HTTP\/1.1 408 /],
  ["webhook", "half a header", half, /^/],
  ["webhook", "half of a second header", secondHalf, /^HTTP\/1.1 404 [^]*HTTP\/1.1 408 /],
  ["socket", "half a header", half, /^/],
  ["socket", "half of a second header", secondHalf, /^HTTP\/1.1 404 [^]*HTTP\/1.1 408 /],
  [
    "socket",
    "no body",
    noBody.replace("/enter", "/requests").replace("x-www-form-urlencoded", "json"),
    /408 /,
  ],
  ["lock", "nothing", "", /"isHolding":true/],
])("%s: a connection that sends %s is ended when its time is over", async (name, _what, text, answer) => {
  const place = await listeners[name]?.();
  if (!place) throw new Error("no such listener");
  expect(await answerTo(place, text)).toMatch(answer);
});

test("who waits for the lock stays connected, and who says nothing does not", async () => {
  const folder = await newFolder();
  const first = await new FolderLock(folder).take(new AbortController().signal, () => undefined);
  const path = join(folder, readdirSync(folder)[0] ?? "");
  let requested = 0;
  const second = new FolderLock(folder).take(new AbortController().signal, () => void (requested += 1));
  await expect.poll(() => requested).toBe(1);
  await answerTo({ path }, "");
  await answerTo({ path }, "");
  expect(requested).toBe(1);
  await first?.release();
  await (await second)?.release();
});

test("as shipped, a header has ten seconds, and it is seen within one more", () => {
  expect(shipped).toMatchObject({ headersTimeout: 10_000, connectionsCheckingInterval: 1000 });
  expect(shippedOfFastify.requestTimeout).toBe(30_000);
});
