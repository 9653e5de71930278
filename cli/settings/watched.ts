import { isCi } from "../terminal/colors.ts";
import type { Io } from "../terminal/io.ts";

/** Why a run is unattended; undefined on a terminal outside CI, where a person watches it. */
export function whyUnwatched({ env, stdin, stderr }: Io): string | undefined {
  if (isCi(env)) return "CI is set";
  return stdin.isTTY && stderr.isTTY ? undefined : "there is no terminal";
}
