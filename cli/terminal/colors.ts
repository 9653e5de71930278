import picocolors from "picocolors";
import type { Io, Output } from "./io.ts";

/** Functions that colour texts for one stream. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** The colours for a stream: decided by the flag, else by NO_COLOR or FORCE_COLOR, else by whether it is a terminal. */
export function colorsFor(stream: Output, env: Io["env"], flag: boolean | undefined): Colors {
  return picocolors.createColors(flag ?? fromEnvironment(env) ?? isInteractive(stream, env));
}

/** Whether a stream is a terminal that understands escape codes, and at which nobody collects the text, as in CI. */
export function isInteractive(stream: Output, env: Io["env"]): boolean {
  return stream.isTTY === true && env["TERM"] !== "dumb" && !isCi(env);
}

/** Whether the environment says that this is a run of a CI system. */
export function isCi(env: Io["env"]): boolean {
  return !["", "0", "false", undefined].includes(env["CI"]);
}

function fromEnvironment(env: Io["env"]): boolean | undefined {
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  return force === undefined || force === "" ? undefined : force !== "0" && force !== "false";
}

/** How a state of a tone is coloured. */
export function paintOf(tone: "good" | "note" | "bad" | "plain", colors: Colors): (text: string) => string {
  return { good: colors.green, note: colors.yellow, bad: colors.red, plain: String }[tone];
}
