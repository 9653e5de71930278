import type { Problem } from "../../../core/problem.ts";
import type { Io } from "../../terminal/io.ts";
import { type ListenAddress, readAddress } from "./address.ts";

/** Flags of the webhook. Each has an environment variable, such as `INFRASYNC_WEBHOOK_LISTEN`. */
export interface WebhookFlags {
  webhookListen?: string;
}

/** The secret that forges sign webhooks with. */
export const webhookSecret = "INFRASYNC_WEBHOOK_SECRET";

/** Reads where webhooks are received; undefined: nowhere. Adds mistakes to `problems`. */
export function readWebhookPlace(
  { webhookListen }: WebhookFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): ListenAddress | undefined {
  const listen = webhookListen ?? (env["INFRASYNC_WEBHOOK_LISTEN"] || "off");
  return listen === "off" ? undefined : readAddress("--webhook-listen", listen, problems);
}
