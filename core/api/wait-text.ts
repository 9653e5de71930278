import { timeLeft } from "../values/text.ts";
import type { Wait } from "./settings.ts";

/** `name`: a program waits for a name or the like, the subject, that another resource of it releases. */
interface TextOfWait extends Pick<Wait, "until" | "subject"> {
  reason: Wait["reason"] | "name";
}

/** A wait, for people. @param now milliseconds since 1970 */
export function longWait({ reason, until, subject = "" }: TextOfWait, now: number): string {
  const left = timeLeft(until, now);
  if (reason === "answer") return `The server has not answered yet; this try ends in ${left}`;
  if (reason === "clone") return `A clone may still bring ${subject}; waiting for it, ${left} at most`;
  if (reason === "name")
    return `Another resource of this program still has ${subject}, and releases it; waiting for it, ${left} at most`;
  if (reason === "lists") return `No list shows ${subject} yet; waiting for the list, ${left} at most`;
  return `${reasons[reason]}; continuing in ${left}, at ${until.toISOString().slice(11, 19)} UTC`;
}

const reasons = {
  quota: "The request quota is used up",
  limited: "The server takes no requests for a while (429)",
  retry: "A request has failed",
};
