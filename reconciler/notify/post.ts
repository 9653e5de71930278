import { createHmac } from "node:crypto";
import type { Clock } from "../../core/api/index.ts";
import { standardKey } from "../webhook/index.ts";
import type { Waiting } from "./outbox.ts";

/** Where notifications go to. The URL may be a secret itself. */
export interface Destination {
  url: string;
  /** The key that signs notifications; undefined if they are not signed. */
  secret: string | undefined;
}

/** Why a notification has not arrived. The reason never names the URL. */
export interface PostFailure {
  reason: string;
  /** Whether the receiver will never take this message. */
  isFinal: boolean;
}

const timeout = 10_000;
/** Answers about the message itself: no other try helps, and others wait behind it. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Posts a notification once, signed as Standard Webhooks want it. @returns undefined if it has arrived */
export async function post(
  { id, message }: Waiting,
  { url, secret }: Destination,
  clock: Clock,
  signal: AbortSignal,
): Promise<PostFailure | undefined> {
  const time = String(Math.floor(clock.now() / 1000));
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": time,
        ...(secret !== undefined && { "webhook-signature": signatureOf(message, id, time, secret) }),
      },
      body: message,
      // A redirection would tell somebody else.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    return { reason: `the receiver answers ${answer.status}`, isFinal: refusals.has(answer.status) };
  } catch {
    return { reason: "the receiver cannot be reached", isFinal: false };
  }
}

function signatureOf(message: string, id: string, time: string, secret: string): string {
  const digest = createHmac("sha256", standardKey(secret))
    .update(`${id}.${time}.${message}`)
    .digest("base64");
  return `v1,${digest}`;
}
