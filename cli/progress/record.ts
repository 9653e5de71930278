import type { Outcome } from "../../core/execute/index.ts";
import { shorten } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { title } from "../render/title.ts";
import { accomplished } from "../render/outcomes.ts";
import { duration } from "../render/text.ts";

/**
 * The line that tells what became of an action: `created  Job shop/staging/nightly (0.4 s)`. The report gives the reason
 * of a failure.
 *
 * @param took milliseconds; undefined for an action that was never started
 */
export function recordOf(outcome: Outcome, took: number | undefined, width: number, colors: Colors): string {
  const { status } = outcome;
  const what = status === "done" ? accomplished(outcome) : status;
  const time = took === undefined ? "" : ` (${duration(took)})`;
  const word = what.padEnd(8);
  const text = shorten(title(outcome.address), Math.max(10, width - word.length - time.length - 2));
  return `${paint(status, colors)(word)} ${text}${colors.dim(time)}`;
}

function paint(status: Outcome["status"], colors: Colors): (text: string) => string {
  if (status === "done") return colors.green;
  return status === "failed" ? colors.red : colors.yellow;
}
