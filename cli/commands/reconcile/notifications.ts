import type { Problem } from "../../../core/problem.ts";
import { escapeControl } from "../../../core/text.ts";
import { type Destination, isLoopbackName, type NotificationFormat } from "../../../reconciler/index.ts";
import type { Io } from "../../terminal/io.ts";
import { readSecretText } from "../../support/secret-text.ts";

/** Flags of notifications. Each has an environment variable, such as `INFRASYNC_NOTIFY_FORMAT`. */
export interface NotifyFlags {
  notifyFormat?: string;
}

/** How people are notified. */
export interface Notifications {
  format: NotificationFormat;
  destination(): Promise<Destination | undefined>;
}

const urlName = "INFRASYNC_NOTIFY_URL";
const secretName = "INFRASYNC_NOTIFY_SECRET";

/** Reads how people are notified; undefined: not at all. Adds mistakes to `problems`. */
export async function readNotifications(
  { notifyFormat }: NotifyFlags,
  io: Pick<Io, "env">,
  problems: Problem[],
): Promise<Notifications | undefined> {
  const { env } = io;
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const format = notifyFormat ?? (env["INFRASYNC_NOTIFY_FORMAT"] || "json");
  if (format !== "slack" && format !== "json")
    refuse(`--notify-format "${escapeControl(format)}" is not a format`, "write slack or json");
  if (!env[urlName] && !env[`${urlName}_FILE`]) return undefined;
  const url = await readSecretText(urlName, io);
  // The URL itself may be a secret, and is not repeated.
  if (url === undefined || !isSafe(url))
    refuse(`${urlName} is no URL that notifications can go to`, "set it to an https URL, or name its file");
  return {
    format: format === "slack" ? "slack" : "json",
    async destination() {
      const now = await readSecretText(urlName, io);
      return now === undefined || !isSafe(now)
        ? undefined
        : { url: now, secret: await readSecretText(secretName, io) };
    },
  };
}

/** Whether nobody on the way can read along: TLS, or this machine. */
function isSafe(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.host));
}
