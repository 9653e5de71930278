// A process that plans and applies, and that tests kill: see test/fixtures/programs.ts. It reads an Order as a line on
// standard input, and carries out its plan when it gets another line.
import { createInterface } from "node:readline";
import { ApiError, parsePattern } from "../../core/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { type Listed, listedIn } from "./belongings.ts";
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

/** A line that the process prints: what its plan loses, before it carries it out, and its result. */
export type Line = { listed: Listed[] } | Result;

/** The end of the process. */
export interface Result {
  /** The outcomes of the actions; none without a plan. */
  statuses: string[];
  /** Requests. */
  spent: number;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { connection, documents, parallelism, speed, onQuota } = JSON.parse(await line()) as Order;
try {
  const { report } = await run(connection, documents, {
    policy: { prune: true, allowReplace: [parsePattern("**")] },
    parallelism,
    clock: fastClock(speed),
    client: { onQuota },
    async planned(plan) {
      say({ listed: listedIn(plan) });
      await line();
    },
  });
  say({ statuses: report.outcomes.map(({ status }) => status), spent: report.spent.total });
} catch (error) {
  // Planning fails while reads fail; an impossible plan would be a bug of infrasync.
  if (!(error instanceof ApiError)) throw error;
  say({ statuses: [], spent: 0 });
}
lines.return?.();
process.stdin.destroy();

function say(reported: Line): void {
  console.log(JSON.stringify(reported));
}

async function line(): Promise<string> {
  const { value } = await lines.next();
  return String(value);
}
