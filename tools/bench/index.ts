// npm run bench: the cost of each run: requests first, then time and memory. The figures are no tests: they depend on the
// machine. `--size 5x20` measures one size only; `5x20x2` adds two variables to
// each job.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEmulator } from "../../emulator/index.ts";
import { benchManifests, type Size } from "./manifests.ts";
import { emitPackage } from "../package.ts";
import { measurePulumi } from "./pulumi.ts";
import { countRequests } from "./requests.ts";
import { runOnce, type Usage } from "./run-once.ts";

const latency = 100;

const { values } = parseArgs({ options: { size: { type: "string", multiple: true } } });
const sizes = (values.size ?? ["1x100", "5x20", "5x20x2", "100x100"]).map((text): Size => {
  const [environments = Number.NaN, jobs = Number.NaN, variables = 0] = text.split("x").map(Number);
  if (![environments, jobs, variables].every(Number.isInteger))
    throw new Error(`--size must look like 5x20 or 5x20x2, not ${text}`);
  return { environments, jobs, variables };
});

console.log("environments x jobs | run                         | requests |       ms |   CPU ms |  MB");
console.log("--------------------|-----------------------------|----------|----------|----------|----");
const scratch = await mkdtemp(join(await realpath(tmpdir()), "infrasync-bench-"));
try {
  const infrasync = join(scratch, "infrasync");
  await emitPackage(infrasync);
  for (const size of sizes) await measure(size, infrasync);
  if (!values.size) {
    await measureDeployment(infrasync);
    await measureWithPulumi({ environments: 5, jobs: 20, variables: 0 }, infrasync);
  }
} finally {
  await rm(scratch, { recursive: true });
}

async function manifestsOf(size: Size, name: string): Promise<string> {
  const folder = join(scratch, name);
  await mkdir(folder);
  for (const [file, text] of benchManifests(size)) await writeFile(join(folder, file), text);
  return folder;
}

async function measure(size: Size, infrasync: string): Promise<void> {
  const folder = await manifestsOf(size, `${size.environments}x${size.jobs}x${size.variables}`);
  const emulator = await createEmulator({ rateLimit: 0 });
  const connection = { INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin };
  const run = async (what: string, args: readonly string[]) => {
    const work = () => runOnce(infrasync, args, connection);
    const { result, requests } = await countRequests(emulator, work);
    print(size, what, { requests, ...result });
  };
  // A plan that finds changes exits with 2, which ends the benchmark.
  const noOpPlan = ["plan", folder, "--detailed-exitcode"];
  try {
    await run("apply from nothing", ["apply", folder, "--yes"]);
    await run("no-op plan", noOpPlan);
    await fetch(`${emulator.url}/_emulator/faults`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-emulator-control": "1" },
      body: JSON.stringify([{ path: "/**", delay_ms: latency }]),
    });
    await run(`no-op plan, ${latency} ms latency`, noOpPlan);
  } finally {
    await emulator.close();
  }
}

/** An environment that is created, deployed and followed for a minute, beside one that is only created. */
async function measureDeployment(infrasync: string): Promise<void> {
  const size = { environments: 1, jobs: 20, variables: 0 };
  const folder = await manifestsOf(size, "deployment");
  for (const flags of [[], ["--deploy", "--wait"]]) {
    const emulator = await createEmulator({ rateLimit: 0, deployDelay: 60_000 });
    const connection = { INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin };
    try {
      const work = () => runOnce(infrasync, ["apply", folder, "--yes", ...flags], connection);
      const { result, requests } = await countRequests(emulator, work);
      print(size, ["apply", ...flags].join(" "), { requests, ...result });
    } finally {
      await emulator.close();
    }
  }
}

async function measureWithPulumi(size: Size, infrasync: string): Promise<void> {
  for (const { run: what, ...figures } of (await measurePulumi(size, infrasync)) ?? [])
    print(size, what, figures);
}

function print(
  { environments, jobs, variables }: Size,
  what: string,
  {
    requests,
    milliseconds,
    cpuMilliseconds,
    megabytes,
  }: { requests: number; milliseconds: number } & Partial<Usage>,
): void {
  const cells = [
    `${environments} x ${jobs}${variables > 0 ? ` x ${variables} vars` : ""}`.padEnd(19),
    what.padEnd(27),
    ...[requests, milliseconds, cpuMilliseconds ?? ""].map((cell) => String(cell).padStart(8)),
    String(megabytes ?? "").padStart(3),
  ];
  console.log(cells.join(" | "));
}
