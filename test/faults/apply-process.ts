// A process that plans and applies, to be killed: see test/fixtures/programs.ts, and an Order as a line on standard input.
import { ApiError, parsePattern } from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";
import { fastClock } from "../fixtures/fast-clock.ts";
import { type Connection, run } from "../fixtures/plan-and-apply.ts";

/** What the process is to do. */
export interface Order {
  connection: Connection;
  documents: readonly Fields[];
  parallelism: number;
  /** How much faster its clock runs. */
  speed: number;
  onQuota: "wait" | "fail";
}

/** What the process says when it is done. */
export interface Result {
  /** What became of the actions; none where there was no plan. */
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
  // While reads fail nothing can be planned; a plan that is impossible would be our mistake.
  if (!(error instanceof ApiError)) throw error;
  say({ statuses: [], spent: 0 });
}

function say(result: Result): void {
  console.log(JSON.stringify(result));
}
