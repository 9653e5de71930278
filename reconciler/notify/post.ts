import { createHmac } from "node:crypto";
import { type Clock, type PlainRequest, sendOnce } from "../../core/api/index.ts";
import { standardKey } from "../webhook/index.ts";
import type { OutboxEntry } from "./outbox.ts";

/** The URL may be a secret itself. */
export interface Destination {
  url: string;
  /** The key that signs notifications; undefined: they are not signed. */
  secret: string | undefined;
  environment: PlainRequest["environment"];
}

/** Why a notification was not delivered. The reason never names the URL. */
export interface PostFailure {
  reason: string;
  /** Whether the receiver will never accept this message. */
  isFinal: boolean;
}

/** Answers about the message itself: retries are useless, and other messages wait behind it. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Posts a notification once, signed by Standard Webhooks. @returns undefined: it was delivered */
export async function post(
  { id, message }: OutboxEntry,
  { url, secret, environment }: Destination,
  clock: Clock,
  signal: AbortSignal,
): Promise<PostFailure | undefined> {
  const time = String(Math.floor(clock.now() / 1000));
  const { answer, between } = await sendOnce(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": time,
      ...(secret !== undefined && { "webhook-signature": signatureOf(message, id, time, secret) }),
    },
    text: message,
    signal,
    environment,
  });
  if (!answer) return { reason: between?.what ?? "the receiver cannot be reached", isFinal: false };
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  return { reason: `the receiver answers ${status}`, isFinal: refusals.has(status) };
}

function signatureOf(message: string, id: string, time: string, secret: string): string {
  const digest = createHmac("sha256", standardKey(secret))
    .update(`${id}.${time}.${message}`)
    .digest("base64");
  return `v1,${digest}`;
}
