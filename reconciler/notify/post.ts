import { createHmac, randomUUID } from "node:crypto";
import type { Clock } from "../../core/api/index.ts";
import { standardKey } from "../webhook/index.ts";

/** Where notifications go to. The URL may be a secret itself. */
export interface Destination {
  url: string;
  /** The key that signs notifications; undefined if they are not signed. */
  secret: string | undefined;
}

/** Milliseconds before each further try. */
const pauses = [1000, 5000, 25_000];
const timeout = 10_000;

/**
 * Posts a notification, signed as Standard Webhooks want it, and tries again where that may help.
 *
 * @returns why it has failed; undefined if it has arrived. It never names the URL
 */
export async function post(
  message: string,
  { url, secret }: Destination,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const id = `msg_${randomUUID()}`;
  let failure = "";
  for (const pause of [0, ...pauses]) {
    await clock.sleep(pause, signal);
    if (signal.aborted) return failure === "" ? "the service has ended" : failure;
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
      failure = `the receiver answers ${answer.status}`;
      const mayHelp = answer.status === 429 || answer.status >= 500;
      if (!mayHelp) return failure;
    } catch {
      failure = "the receiver cannot be reached";
    }
  }
  return failure;
}

function signatureOf(message: string, id: string, time: string, secret: string): string {
  const digest = createHmac("sha256", standardKey(secret))
    .update(`${id}.${time}.${message}`)
    .digest("base64");
  return `v1,${digest}`;
}
