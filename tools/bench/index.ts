// npm run bench: the cost of each run: requests, time and memory. `--size 5x20` measures one size only; `5x20x2` adds two variables to each
// job. `npm run bench -- start`: what a person waits for before the first request; `--against COMMIT`: beside the same of a commit.
// `npm run bench -- requests`: plans, and refreshes by Pulumi, that remember the parts of resources, as docs/guides/budget.md says.
// `npm run bench -- pulumi`: runs of Pulumi beside programs without infrasync. The figures are not tested: they depend on the machine.
// `npm run bench -- fleet`: many sources in one service and in workers on PostgreSQL (which has to be installed); `--sources 1000 --workers 8`
// measures other numbers; 0 workers are one service without a database.
// `npm run bench -- --record`: the runs of 5 x 20 jobs, the requests of all runs that remember, and the start, as one more line of docs/benchmarks.jsonl.
import { parseArgs } from "node:util";
import type { Size } from "./manifests.ts";
import { benchPulumi, benchPulumiRequests } from "./pulumi.ts";
import { benchFleet } from "./fleet.ts";
import { benchRequests } from "./remembered.ts";
import { benchRuns } from "./runs.ts";
import { benchStart } from "./start.ts";
import { appendFile } from "node:fs/promises";
import { cpus } from "node:os";
import path from "node:path";
import { commitOf } from "../commit.ts";

const checkout = path.join(import.meta.dirname, "..", "..");
const file = path.join(checkout, "docs", "benchmarks.jsonl");

/**
 * Measures, and appends a line to docs/benchmarks.jsonl: the commit, the machine, requests and memory of runs, and the
 * times of commands as multiples of those of the process beside them. Milliseconds depend on the machine too much.
 */
async function recordBenchmarks(): Promise<void> {
  const runs = await benchRuns([{ environments: 5, jobs: 20, variables: 0 }]);
  const requests = await benchRequests(undefined);
  const starts = await benchStart();
  const line = {
    commit: commitOf(checkout),
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim(),
    cores: cpus().length,
    node: process.version,
    runs: runs.map(({ what, requests: its, megabytes }) => ({ what, requests: its, megabytes })),
    requests,
    starts: starts.map(({ what, cpu, wall, megabytes }) => ({
      what,
      cpu: Number(cpu.ratio.toFixed(2)),
      wall: Number(wall.ratio.toFixed(2)),
      megabytes,
    })),
  };
  await appendFile(file, `${JSON.stringify(line)}\n`);
}

const { values, positionals } = parseArgs({
  options: {
    size: { type: "string", multiple: true },
    against: { type: "string" },
    record: { type: "boolean" },
    sources: { type: "string", multiple: true },
    workers: { type: "string", multiple: true },
  },
  allowPositionals: true,
});
const [part = "runs"] = positionals;
if (values.record) await recordBenchmarks();
else if (part === "start") await benchStart(values.against);
else if (part === "fleet") await benchFleet(values.sources?.map(Number), values.workers?.map(Number));
else if (part === "pulumi") await benchPulumi();
else if (part === "requests") {
  await benchRequests(values.size?.map(sizeOf));
  if (!values.size) await benchPulumiRequests();
} else if (part === "runs") await benchRuns(values.size?.map(sizeOf));
else throw new Error(`there is no benchmark ${part}: choose start, pulumi, requests, fleet or runs`);

function sizeOf(text: string): Size {
  const [environments = Number.NaN, jobs = Number.NaN, variables = 0] = text.split("x").map(Number);
  if (![environments, jobs, variables].every(Number.isInteger))
    throw new Error(`--size must look like 5x20 or 5x20x2, not ${text}`);
  return { environments, jobs, variables };
}
