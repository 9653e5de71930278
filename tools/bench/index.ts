// npm run bench: the cost of each run: requests, time and memory. `--size 5x20` measures one size only; `5x20x2` adds two variables to each
// job. `npm run bench -- start`: what a person waits for before the first request; `--against COMMIT`: beside the same of a commit.
// `npm run bench -- requests`: plans, and refreshes by Pulumi, that remember the parts of resources, as docs/guides/budget.md says.
// `npm run bench -- pulumi`: runs of Pulumi beside programs without infrasync. The figures are not tested: they depend on the machine.
// `npm run bench -- fleet`: many sources in one service and in workers on PostgreSQL (which has to be installed); `--sources 1000 --workers 8`
// measures other numbers; 0 workers are one service without a database.
// `npm run bench -- --record`: the runs of 5 x 20 jobs and the start, as one more line of docs/benchmarks.jsonl.
import { parseArgs } from "node:util";
import type { Size } from "./manifests.ts";
import { benchPulumi, benchPulumiRequests } from "./pulumi.ts";
import { benchFleet } from "./fleet.ts";
import { recordBenchmarks } from "./record.ts";
import { benchRequests } from "./remembered.ts";
import { benchRuns } from "./runs.ts";
import { benchStart } from "./start.ts";

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
