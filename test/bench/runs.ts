import { join } from "node:path";
import { createEmulator } from "../../emulator/index.ts";
import type { Size } from "./manifests.ts";
import { manifestsIn, type Place, withPlace } from "./place.ts";
import { control, countRequests } from "./requests.ts";
import { runOnce, type Usage } from "./run-once.ts";

const latency = 100;

interface Run extends Usage {
  what: string;
  size: Size;
  requests: number;
}

/** Prints the requests, time and memory of each run. @param sizes default: a few, also one with deployments */
export async function benchRuns(sizes: readonly Size[] | undefined): Promise<void> {
  console.log("environments x jobs | run                         | requests |       ms |   CPU ms |  MB");
  console.log("--------------------|-----------------------------|----------|----------|----------|----");
  await withPlace(async (place) => {
    for (const size of sizes ?? usualSizes) await measure(size, place);
    if (!sizes) await measureDeployment(place);
  });
}

const usualSizes: readonly Size[] = [
  { environments: 1, jobs: 100, variables: 0 },
  { environments: 5, jobs: 20, variables: 0 },
  { environments: 5, jobs: 20, variables: 2 },
  { environments: 100, jobs: 100, variables: 0 },
];

async function measure(size: Size, { scratch, infrasync }: Place): Promise<void> {
  const name = `${size.environments}x${size.jobs}x${size.variables}`;
  const folder = await manifestsIn(join(scratch, name), size);
  const emulator = await createEmulator({ behaviour: { rate_limit: 0 } });
  const connection = {
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
    INFRASYNC_FRESH: "true",
    XDG_CACHE_HOME: join(scratch, "caches"),
  };
  const run = async (what: string, args: readonly string[]) => {
    const work = () => runOnce(infrasync, args, connection);
    const { result, requests } = await countRequests(emulator, work);
    print({ what, size, requests, ...result });
  };
  // A plan that finds changes exits with 2, which ends the benchmark.
  const noOpPlan = ["plan", folder, "--detailed-exitcode"];
  try {
    await run("apply from nothing", ["apply", folder, "--yes"]);
    await run("no-op plan", noOpPlan);
    await run("dump", ["dump"]);
    await run("dump to a folder", ["dump", "--out", `${folder}-dump`]);
    await control(emulator, "faults", [{ path: "/**", delay_ms: latency }]);
    await run(`no-op plan, ${latency} ms latency`, noOpPlan);
  } finally {
    await emulator.close();
  }
}

/** An environment that is created, deployed and followed for a minute, beside one that is only created. */
async function measureDeployment({ scratch, infrasync }: Place): Promise<void> {
  const size = { environments: 1, jobs: 20, variables: 0 };
  const folder = await manifestsIn(join(scratch, "deployment"), size);
  for (const flags of [[], ["--deploy", "--wait"]]) {
    const emulator = await createEmulator({ behaviour: { rate_limit: 0, deploy_delay_ms: 60_000 } });
    const connection = { INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin };
    try {
      const work = () => runOnce(infrasync, ["apply", folder, "--yes", ...flags], connection);
      const { result, requests } = await countRequests(emulator, work);
      print({ what: ["apply", ...flags].join(" "), size, requests, ...result });
    } finally {
      await emulator.close();
    }
  }
}

function print({ what, size, requests, milliseconds, cpuMilliseconds, megabytes }: Run): void {
  const { environments, jobs, variables } = size;
  const cells = [
    `${environments} x ${jobs}${variables > 0 ? ` x ${variables} vars` : ""}`.padEnd(19),
    what.padEnd(27),
    ...[requests, milliseconds, cpuMilliseconds].map((cell) => String(cell).padStart(8)),
    String(megabytes).padStart(3),
  ];
  console.log(cells.join(" | "));
}
