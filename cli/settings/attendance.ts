import { isCi } from "../terminal/colors.ts";
import type { Io } from "../terminal/io.ts";

/** Why a run is unattended; undefined on a terminal outside CI, where a person watches it. */
export function whyUnwatched(io: Io): string | undefined {
  if (isCi(io.env)) return "CI is set";
  return io.stderr.isTTY && io.stdin.isTTY ? undefined : "there is no terminal";
}
