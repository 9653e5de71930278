import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { stringify } from "yaml";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { infrasync as runInProcess } from "../cli/captured.ts";
import { gatherWaves } from "../fixtures/waves.ts";
import { openBench } from "../reconciler/bench.ts";
import { desiredOf } from "../fixtures/desired.ts";
import { Harness } from "../fixtures/harness.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { propose } from "../../core/execution/session/index.ts";
import { benchManifests, type Size } from "./manifests.ts";
import { manifestsIn, type Place, withPlace } from "./place.ts";
import { control, countRequests } from "./requests.ts";
import { runOnce } from "./run-once.ts";

const rows: { size: string; what: string; requests: number }[] = [];

/** Prints the costs of plans with cached parts, and the size of the cache. */
export async function benchRequests(sizes: readonly Size[] | undefined): Promise<void> {
  console.log(
    "environments x jobs | run                                   | requests |       ms |  MB | on disk",
  );
  console.log(
    "--------------------|---------------------------------------|----------|----------|-----|--------",
  );
  await withPlace(async (place) => {
    for (const size of sizes ?? []) await measure(size, place);
    if (sizes) return;
    await measureExample(place);
    await measure({ environments: 20, jobs: 25, variables: 2 }, place);
    for (const count of [50, 100, 400]) await measureContainers(count, place);
    await measureReconciler({ environments: 20, jobs: 10, variables: 2 });
  });
}

/** The rows of the example of the page. */
export async function measureExample(place: Place): Promise<typeof rows> {
  const size = { environments: 5, jobs: 20, variables: 2 };
  await measure(size, place);
  await measureSoon(size, place);
  await measurePreview({ environments: 1, jobs: 6, variables: 2 }, place);
  await measurePrompt(size);
  return rows;
}

/** Runs commands on one server and one folder of manifests, with a cache of their own, and prints the cost of each. */
async function inWorld(
  name: string,
  size: Size,
  { scratch, infrasync }: Place,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const folder = await manifestsIn(join(scratch, name), size);
  const caches = join(scratch, `${name}-caches`);
  const emulator = await createEmulator({ behaviour: { rate_limit: 0 } });
  const connection = {
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
    XDG_CACHE_HOME: caches,
  };
  // Recent writes are read again until they have settled.
  const settle = () => control(emulator, "clock", { advance_ms: 60_000 });
  const quietly = (...args: string[]) => runOnce(infrasync, args, connection);
  const run = async (what: string, ...args: string[]) => {
    const { result, requests } = await countRequests(emulator, () => quietly(...args));
    const bytes = await bytesIn(join(caches, "infrasync", "parts"));
    print(size, what, requests, [
      String(result.milliseconds).padStart(8),
      String(result.megabytes).padStart(3),
      `${Math.ceil(bytes / 1024)} KB`,
    ]);
  };
  try {
    await settle();
    await work({ connection, emulator, folder, settle, quietly, run });
  } finally {
    await emulator.close();
  }
}

interface World {
  connection: Record<string, string>;
  emulator: Emulator;
  folder: string;
  /** Lets a minute pass on the server. */
  settle(): Promise<void>;
  quietly(...args: string[]): Promise<unknown>;
  /** @param what the row of the table */
  run(what: string, ...args: string[]): Promise<void>;
}

const deleting = ["--yes", "--max-deletes", "100000,100%"];

async function measure(size: Size, place: Place): Promise<void> {
  const name = `${size.environments}x${size.jobs}x${size.variables}`;
  await inWorld(name, size, place, async (world) => {
    const { emulator, folder, quietly, settle } = world;
    const run = async (what: string, ...args: string[]) => {
      await world.run(what, ...args);
      await settle();
    };
    await quietly("apply", folder, "--yes");
    await settle();
    await run("first plan", "plan", folder, "--fresh");
    await run("second plan", "plan", folder);
    await changeByHand(emulator);
    await settle();
    await run("plan after somebody changed a variable", "plan", folder);
    await quietly("apply", folder, "--yes");
    await settle();
    await quietly("plan", folder);
    const file = join(folder, "environment-0.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("value of KEY_0", "another value"));
    await run("apply of one changed variable", "apply", folder, "--yes");
    await run("no-op plan after it", "plan", folder);
    await run("plan --destroy", "plan", folder, "--destroy", ...deleting.slice(1));
    await run("second plan --destroy", "plan", folder, "--destroy", ...deleting.slice(1));
    await run("destroy after them", "destroy", folder, ...deleting);
  });
}

/** Measures plans right after writes, deployments and events of the organization. */
async function measureSoon(size: Size, place: Place): Promise<void> {
  await inWorld("soon", size, place, async ({ connection, emulator, folder, quietly, run, settle }) => {
    await quietly("apply", folder, "--yes");
    await run("plan right after the first apply", "plan", folder);
    await control(emulator, "clock", { advance_ms: 33_000 });
    await run("plan 33 s after it", "plan", folder);
    await run("second plan 33 s after it", "plan", folder);
    await quietly("deploy", "job:bench/environment-0/job-0", "--wait");
    await run("plan after the deployment of a job", "plan", folder);
    await quietly("deploy", "environment:bench/environment-1", "--wait");
    await run("plan after that of an environment", "plan", folder);
    await quietly("status", "environment:bench/environment-1");
    const status = ["status", "environment:bench/environment-1"];
    await run("status of one environment", ...status);
    print(
      size,
      "its round trips",
      // A wave is complete when this process has nothing else to do, such as to wait for another process.
      await roundTrips(emulator, (url) =>
        runInProcess(status, { env: { ...connection, INFRASYNC_BASE_URL: url } }),
      ),
    );
    await ask(emulator, `/organization/${emulator.organization.id}/apiToken`, "POST", {
      name: "bench",
      scope: "ADMIN",
    });
    await run("plan after somebody made an API token", "plan", folder);
    await settle();
    await run("destroy after a deployment", "destroy", folder, ...deleting);
    await quietly("apply", folder, "--yes");
    await run("destroy right after an apply", "destroy", folder, ...deleting);
    await quietly("apply", folder, "--yes");
    await run("plan --destroy right after an apply", "plan", folder, "--destroy", ...deleting.slice(1));
  });
}

async function measurePreview(size: Size, place: Place): Promise<void> {
  await inWorld("preview", size, place, async ({ folder, quietly, run }) => {
    await quietly("apply", folder, "--yes");
    await writeFile(join(folder, "infrasync.reconcile.yaml"), "previews: { from: bench/environment-0 }\n");
    await quietly("preview", "create", "42", "--policy", folder, "--yes");
    await run("preview delete", "preview", "delete", "42", "--policy", folder, "--yes");
  });
}

/** The first plan of containers with a variable each: each list also has the platform's variables about all. */
async function measureContainers(count: number, place: Place): Promise<void> {
  const size = { environments: 1, jobs: 0, variables: 0 };
  await inWorld(`containers-${count}`, size, place, async ({ folder, quietly, run, settle }) => {
    const documents = Array.from({ length: count }, (_, index) => ({
      kind: "Container",
      environment: "bench/environment-0",
      name: `container-${index}`,
      registry: "docker-hub",
      image_name: "acme/api",
      tag: "1.4.2",
      variables: { KEY: "value" },
    }));
    await writeFile(join(folder, "containers.yaml"), documents.map((each) => stringify(each)).join("---\n"));
    await quietly("apply", folder, "--yes", "--deploy");
    await run("plan after apply --deploy of them", "plan", folder);
    await settle();
    await run("plan once they are deployed", "plan", folder);
    await run("second plan after it", "plan", folder);
    await run(`first plan of ${count} containers`, "plan", folder, "--fresh");
  });
}

/** The requests of some work that wait for one another. @param work gets the URL of the server */
async function roundTrips({ url }: Emulator, work: (url: string) => Promise<unknown>): Promise<number> {
  const { listener, waves } = gatherWaves(url);
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return waves.length;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A person reads the losses of a destroy for a minute. */
async function measurePrompt(size: Size): Promise<void> {
  for (const [what, wait] of [
    ["destroy, planning included", 0],
    ["destroy after a minute at its prompt", 60_000],
  ] as const) {
    await using server = await Harness.start({ clock: "frozen" });
    const text = [...benchManifests(size).values()].join("\n---\n");
    await server.reconcile(text);
    await server.advance(60_000);
    await server.forgetRequests();
    const run = server.context();
    const policy = { ...openPolicy, isForThisRun: true };
    const { resources } = desiredOf(text);
    const { plan } = await propose(run, server.organization, "destroy", resources, policy);
    await server.advance(wait);
    await server.apply(plan, run);
    print(size, what, (await server.seen()).length);
  }
}

/** A reconciler gets a commit for a variable of one job, 20 s after it has made everything, and half an hour later. */
async function measureReconciler(size: Size): Promise<void> {
  await using bench = await openBench({}, "admin", {}, { clock: "frozen", behaviour: { rate_limit: 0 } });
  const { server, clock, repository } = bench;
  const cycle = async (minutes: number) => {
    clock.advance(minutes * 60_000);
    await server.advance(minutes * 60_000);
    return (await bench.cycle()).requests.length;
  };
  const files = [...benchManifests(size)].map(([file, text]) => [`infra/${file}`, text] as const);
  repository.push(Object.fromEntries(files));
  await cycle(1);
  const [file = "", text = ""] = files.at(-1) ?? [];
  repository.push({ [file]: text.replace("value of KEY_0", "another value") });
  print(size, "one-job commit 20 s after all was made", await cycle(1 / 3));
  print(size, "the look after it", await cycle(1 / 3));
  for (const minutes of [1, 1, 1, 10, 10, 10]) await cycle(minutes);
  repository.push({ [file]: text });
  print(size, "one-job commit half an hour later", await cycle(1));
}

function print(
  { environments, jobs, variables }: Size,
  what: string,
  requests: number,
  more: readonly string[] = [],
): void {
  const size = `${environments} x ${jobs} x ${variables} vars`;
  rows.push({ size, what, requests });
  console.log([size.padEnd(19), what.padEnd(37), String(requests).padStart(8), ...more].join(" | "));
}

/** Sends a request as a person would, and returns the entries of a list. */
async function ask({ url, tokens }: Emulator, path: string, method = "GET", body?: object) {
  const headers = { authorization: `Token ${tokens.admin}`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { results?: Record<string, string>[] }).results ?? [];
}

async function changeByHand(emulator: Emulator): Promise<void> {
  const [project] = await ask(emulator, `/organization/${emulator.organization.id}/project`);
  const [environment] = await ask(emulator, `/project/${project?.["id"]}/environment`);
  const [job] = await ask(emulator, `/environment/${environment?.["id"]}/services`);
  const variables = await ask(emulator, `/variable?parent_id=${job?.["id"]}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "KEY_1");
  await ask(emulator, `/variable/${variable?.["id"]}`, "PUT", { key: "KEY_1", value: "manually" });
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
