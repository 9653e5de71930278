// A process that plans and applies, and that tests kill: see test/fixtures/programs.ts. It reads an Order as a line on
// standard input.
import { ApiError, parsePattern } from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";
import { fastClock } from "../fixtures/fast-clock.ts";
import { type Connection, run } from "../fixtures/plan-and-apply.ts";

/** The task of the process. */
export interface Order {
  connection: Connection;
  documents: readonly Fields[];
  parallelism: number;
  /** The factor by which its clock is faster. */
  speed: number;
  onQuota: "wait" | "fail";
}

/** The line that the process prints when it is done. */
export interface Result {
  /** The outcomes of the actions; none without a plan. */
  statuses: string[];
  /** Requests. */
  spent: number;
}

let text = "";
for await (const chunk of process.stdin) text += String(chunk);
const { connection, documents, parallelism, speed, onQuota } = JSON.parse(text) as Order;
try {
  const { report } = await run(connection, documents, {
    policy: { prune: true, allowReplace: [parsePattern("**")] },
    parallelism,
    clock: fastClock(speed),
    client: { onQuota },
  });
  say({ statuses: report.outcomes.map(({ status }) => status), spent: report.spent.total });
} catch (error) {
  // Planning fails while reads fail; an impossible plan would be a bug of infrasync.
  if (!(error instanceof ApiError)) throw error;
  say({ statuses: [], spent: 0 });
}

function say(result: Result): void {
  console.log(JSON.stringify(result));
}
