import picocolors from "picocolors";
import type { Io, Output } from "./io.ts";

/** Functions that colour texts for one stream. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** The colours for a stream: decided by the flag, else by NO_COLOR or FORCE_COLOR, else by whether it is a terminal. */
export function colorsFor(stream: Output, env: Io["env"], flag: boolean | undefined): Colors {
  return picocolors.createColors(
    flag ?? fromEnvironment(env) ?? (stream.isTTY === true && env["TERM"] !== "dumb"),
  );
}

function fromEnvironment(env: Io["env"]): boolean | undefined {
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  return force === undefined || force === "" ? undefined : force !== "0" && force !== "false";
}
