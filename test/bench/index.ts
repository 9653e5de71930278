// npm run bench: the figures of docs/explanation/performance.md: requests, time and memory of runs. `--size 5x20`
// measures one size only; `5x20x2` adds two variables to each job. `npm run bench -- start`: the wait of a person
// before the first request. `npm run bench -- requests`: runs with cached parts, as in docs/guides/budget.md. The
// figures are not tested: they depend on the machine.
import { parseArgs } from "node:util";
import type { Size } from "./manifests.ts";
import { benchPulumiRequests } from "./pulumi.ts";
import { benchRequests } from "./cached-runs.ts";
import { benchRuns } from "./runs.ts";
import { benchStart } from "./start.ts";

const { values, positionals } = parseArgs({
  options: { size: { type: "string", multiple: true } },
  allowPositionals: true,
});
const [part = "runs"] = positionals;
if (part === "start") await benchStart();
else if (part === "requests") {
  await benchRequests(values.size?.map(sizeOf));
  if (!values.size) await benchPulumiRequests();
} else if (part === "runs") await benchRuns(values.size?.map(sizeOf));
else throw new Error(`there is no benchmark ${part}: choose start, requests or runs`);

function sizeOf(text: string): Size {
  const [environments = Number.NaN, jobs = Number.NaN, variables = 0] = text.split("x").map(Number);
  if (![environments, jobs, variables].every(Number.isInteger))
    throw new Error(`--size must look like 5x20 or 5x20x2, not ${text}`);
  return { environments, jobs, variables };
}
