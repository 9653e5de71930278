import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { emitPackage } from "../package.ts";
import { openBench } from "../../test/reconciler/bench.ts";
import { benchManifests, type Size } from "./manifests.ts";
import { control, countRequests } from "./requests.ts";
import { runOnce } from "./run-once.ts";

/** Prints what plans cost that remember the parts of resources, and what they keep on disk. */
export async function benchRequests(sizes: readonly Size[] | undefined): Promise<void> {
  console.log(
    "environments x jobs | run                                   | requests |       ms |  MB | on disk",
  );
  console.log(
    "--------------------|---------------------------------------|----------|----------|-----|--------",
  );
  const scratch = await mkdtemp(join(await realpath(tmpdir()), "infrasync-bench-"));
  try {
    const infrasync = join(scratch, "infrasync");
    await emitPackage(infrasync);
    for (const size of sizes ?? usualSizes) await measure(size, scratch, infrasync);
    if (!sizes) await measureReconciler({ environments: 20, jobs: 10, variables: 2 });
  } finally {
    await rm(scratch, { recursive: true });
  }
}

const usualSizes: readonly Size[] = [
  { environments: 5, jobs: 20, variables: 2 },
  { environments: 20, jobs: 25, variables: 2 },
];

async function measure(size: Size, scratch: string, infrasync: string): Promise<void> {
  const name = `${size.environments}x${size.jobs}x${size.variables}`;
  const [folder, caches] = [join(scratch, name), join(scratch, `${name}-caches`)];
  await mkdir(folder);
  const texts = benchManifests(size);
  for (const [file, text] of texts) await writeFile(join(folder, file), text);
  const emulator = await createEmulator({ rateLimit: 0 });
  const connection = {
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
    XDG_CACHE_HOME: caches,
  };
  const run = async (what: string, args: readonly string[]) => {
    const work = () => runOnce(infrasync, args, connection);
    const { result, requests } = await countRequests(emulator, work);
    const bytes = await bytesIn(join(caches, "infrasync", "parts"));
    print(size, what, requests, [
      String(result.milliseconds).padStart(8),
      String(result.megabytes).padStart(3),
      `${Math.ceil(bytes / 1024)} KB`,
    ]);
    // What was just written is read again until it has settled.
    await control(emulator, "clock", { advance_ms: 60_000 });
  };
  const plan = ["plan", folder];
  try {
    await runOnce(infrasync, ["apply", folder, "--yes"], connection);
    await control(emulator, "clock", { advance_ms: 60_000 });
    await run("first no-op plan", plan);
    await run("second no-op plan", plan);
    await changeByHand(emulator);
    await control(emulator, "clock", { advance_ms: 60_000 });
    await run("plan after somebody changed a variable", plan);
    await runOnce(infrasync, ["apply", folder, "--yes"], connection);
    await control(emulator, "clock", { advance_ms: 60_000 });
    await runOnce(infrasync, plan, connection);
    const [file = "", text = ""] = [...texts].find(([each]) => each !== "project.yaml") ?? [];
    await writeFile(join(folder, file), text.replace("value of KEY_0", "another value"));
    await run("apply of one changed variable", ["apply", folder, "--yes"]);
    await run("no-op plan after it", plan);
    const destroy = [...plan, "--destroy", "--max-deletes", "100000,100%"];
    await run("plan --destroy", destroy);
    await run("second plan --destroy", destroy);
    await run("destroy after them", ["destroy", folder, "--yes", "--max-deletes", "100000,100%"]);
  } finally {
    await emulator.close();
  }
}

/** A reconciler that has run for half an hour gets a commit that changes a variable of one job. */
async function measureReconciler(size: Size): Promise<void> {
  await using bench = await openBench({}, "admin", {}, { clock: "frozen", rateLimit: 0 });
  const { server, clock, repository } = bench;
  const cycle = async (minutes: number) => {
    clock.advance(minutes * 60_000);
    await server.advance(minutes * 60_000);
    return (await bench.cycle()).requests.length;
  };
  const files = [...benchManifests(size)].map(([file, text]) => [`infra/${file}`, text] as const);
  repository.push(Object.fromEntries(files));
  for (const minutes of [1, 1, 1, 1, 10, 10, 10]) await cycle(minutes);
  const [file = "", text = ""] = files.at(-1) ?? [];
  repository.push({ [file]: text.replace("value of KEY_0", "another value") });
  print(size, "reconciler, a one-job commit", await cycle(1));
}

function print(
  { environments, jobs, variables }: Size,
  what: string,
  requests: number,
  more: readonly string[] = [],
): void {
  const size = `${environments} x ${jobs} x ${variables} vars`.padEnd(19);
  console.log([size, what.padEnd(37), String(requests).padStart(8), ...more].join(" | "));
}

async function changeByHand({ url, tokens, organization }: Emulator): Promise<void> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Token ${tokens.admin}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { ...init, headers });
    return ((await answer.json()) as { results?: Record<string, string>[] }).results ?? [];
  };
  const [project] = await ask(`/organization/${organization.id}/project`);
  const [environment] = await ask(`/project/${project?.["id"]}/environment`);
  const [job] = await ask(`/environment/${environment?.["id"]}/services`);
  const variables = await ask(`/variable?parent_id=${job?.["id"]}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "KEY_1");
  const body = JSON.stringify({ key: "KEY_1", value: "by hand" });
  await ask(`/variable/${variable?.["id"]}`, { method: "PUT", body });
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
