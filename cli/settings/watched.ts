import type { Io } from "../terminal/io.ts";

/** Why nobody watches a run; undefined when somebody does: at a terminal, and not in CI, which may have one too. */
export function whyUnwatched({ env, stdin, stderr }: Io): string | undefined {
  if (!["", "0", "false", undefined].includes(env["CI"])) return "CI is set";
  return stdin.isTTY && stderr.isTTY ? undefined : "there is no terminal";
}
