import { appendFile } from "node:fs/promises";
import { cpus } from "node:os";
import path from "node:path";
import { commitOf } from "../commit.ts";
import { benchRuns } from "./runs.ts";
import { benchStart } from "./start.ts";

const checkout = path.join(import.meta.dirname, "..", "..");
const file = path.join(checkout, "docs", "benchmarks.jsonl");

/**
 * Measures, and appends a line to docs/benchmarks.jsonl: the commit, the machine, requests and memory of runs, and the
 * times of commands as multiples of those of the process beside them. Milliseconds depend on the machine too much.
 */
export async function recordBenchmarks(): Promise<void> {
  const runs = await benchRuns([{ environments: 5, jobs: 20, variables: 0 }]);
  const starts = await benchStart();
  const line = {
    commit: commitOf(checkout),
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim(),
    cores: cpus().length,
    node: process.version,
    runs: runs.map(({ what, requests, megabytes }) => ({ what, requests, megabytes })),
    starts: starts.map(({ what, cpu, wall, megabytes }) => ({
      what,
      cpu: Number(cpu.ratio.toFixed(2)),
      wall: Number(wall.ratio.toFixed(2)),
      megabytes,
    })),
  };
  await appendFile(file, `${JSON.stringify(line)}\n`);
}
