// A process that plans and applies, to be killed: node runner.ts, and an Order as a line on standard input.
import { parsePattern } from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";
import { fastClock } from "./clock.ts";
import { type Connection, run } from "./run.ts";

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
  statuses: string[];
  stopped?: string;
  spent: number;
}

let text = "";
for await (const chunk of process.stdin) text += String(chunk);
const { connection, documents, parallelism, speed, onQuota } = JSON.parse(text) as Order;
const { report } = await run(connection, documents, {
  policy: { prune: true, allowReplace: [parsePattern("**")] },
  parallelism,
  clock: fastClock(speed),
  client: { onQuota },
});
const result: Result = {
  statuses: report.outcomes.map(({ status }) => status),
  ...(report.stopped && { stopped: report.stopped.reason }),
  spent: report.spent.total,
};
console.log(JSON.stringify(result));
