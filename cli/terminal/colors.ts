import picocolors from "picocolors";
import type { Io, Output } from "./io.ts";

/** How texts are coloured for one stream: not at all where it is no terminal. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** The colours for a stream: as the flag says, else as NO_COLOR and FORCE_COLOR say, else where it is a terminal. */
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
