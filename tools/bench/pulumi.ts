// npm run bench -- pulumi: what a run of Pulumi costs through each front end, with the real engine. Times are medians of runs in turn with a
// program that does as much without infrasync, so that the ratios hold on a busy machine too.
import { mkdtemp, realpath, rm, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { dynamicProvider, type FrontEnd, plugin } from "../../test/provider/engine/front-ends.ts";
import { initialStack, Stack } from "../../test/provider/engine/stack.ts";
import { emitPackage } from "../package.ts";
import { engineFolder } from "../pulumi/engine.ts";
import { compare } from "./compare.ts";
import type { Size } from "./manifests.ts";
import { control, countRequests } from "./requests.ts";
import { setTimeout as sleep } from "node:timers/promises";

const runs = 7;

/** Milliseconds of each answer in the runs that refresh. */
const latency = 200;

const pluginName = "pulumi-resource-infrasync";

/** Where the programs of a benchmark find what they need. */
interface Bench {
  engine: string;
  /** The folder of the package. */
  infrasync: string;
  /** The folder of a stack to begin with. */
  initial: string;
  emulator: Emulator;
}

/** Prints what runs cost: times, and requests without variables and with two on each job. */
export async function benchPulumi(): Promise<void> {
  await withBench(async (bench) => {
    await printTimes(bench);
    await printRequests(bench, 0);
    await printRequests(bench, 2);
  });
}

/** Prints the requests of runs whose jobs have two variables each: refreshes remember them. */
export function benchPulumiRequests(): Promise<void> {
  return withBench((bench) => printRequests(bench, 2));
}

async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const engine = await engineFolder((line) => console.error(line));
  const scratch = await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-bench-"));
  const emulator = await createEmulator({ rateLimit: 0 });
  try {
    const folderOf = (name: string) => path.join(scratch, name);
    const bench = { engine, emulator, infrasync: folderOf("infrasync"), initial: folderOf("stack") };
    await Promise.all([emitPackage(bench.infrasync), initialStack(engine, bench.initial)]);
    await work(bench);
  } finally {
    await emulator.close();
    await rm(scratch, { recursive: true });
  }
}

/** 50 resources: previews beside those of a program without infrasync, the state, and the memory of the plugin. */
async function printTimes(bench: Bench): Promise<void> {
  const size = { environments: 1, jobs: 48, variables: 0 };
  const none = await stackOf(bench, withoutProvider(50), dynamicProvider);
  const trivial = await stackOf(bench, trivialProvider(50), dynamicProvider);
  const dynamic = await stackOf(bench, benchProgram("dynamic", size), dynamicProvider);
  const native = await stackOf(bench, benchProgram("plugin", size), plugin);
  try {
    for (const stack of [none, trivial, dynamic, native]) await succeed(stack.up());
    console.log(
      "50 resources, pulumi preview      | beside                     | wall x |  CPU x | wall ms | CPU ms",
    );
    console.log(
      "----------------------------------|----------------------------|--------|--------|---------|-------",
    );
    await printPair("plugin", native, "no provider", none);
    await printPair("plugin", native, "a trivial dynamic provider", trivial);
    await printPair("plugin", native, "ours, dynamic", dynamic);
    await printPair("dynamic provider", dynamic, "no provider", none);
    await printPair("dynamic provider", dynamic, "a trivial dynamic provider", trivial);
    await slowDown(bench.emulator, latency);
    await printPair(`plugin, --refresh, ${latency} ms an answer`, native, "no provider", none, ["--refresh"]);
    await slowDown(bench.emulator, 0);
    const stacks = { plugin: native, "dynamic provider": dynamic, "a trivial dynamic provider": trivial };
    for (const [name, stack] of Object.entries(stacks))
      console.log(`state of ${name}: ${Math.round((await stack.export()).text.length / 1000)} kB`);
    const peak = await peakDuring(pluginName, () => native.preview("--refresh"));
    console.log(`memory of the plugin, at its peak: ${peak} MB`);
  } finally {
    for (const stack of [none, trivial, dynamic, native]) await stack.remove();
  }
}

async function printPair(
  name: string,
  stack: Stack,
  besideName: string,
  beside: Stack,
  flags: readonly string[] = [],
): Promise<void> {
  const { cpu, wall } = await compare(previewOf(stack, flags), previewOf(beside, flags), runs, {});
  const figures = [
    wall.ratio.toFixed(2),
    cpu.ratio.toFixed(2),
    wall.milliseconds.toFixed(0),
    cpu.milliseconds.toFixed(0),
  ];
  const widths = [6, 6, 7, 6];
  const cells = figures.map((figure, index) => figure.padStart(widths[index] ?? 0));
  console.log([name.padEnd(33), besideName.padEnd(26), ...cells].join(" | "));
}

/** A preview in the folder of a stack, as a command line. */
function previewOf(stack: Stack, flags: readonly string[]): string[] {
  const assignments = Object.entries(stack.processEnvironment()).map(
    ([name, value]) => `${name}=${value ?? ""}`,
  );
  return ["env", "-C", stack.folder, ...assignments, "pulumi", "preview", "--non-interactive", ...flags];
}

/** 5 environments with 20 jobs each: the requests of each run. @param variables those of each job */
async function printRequests(bench: Bench, variables: number): Promise<void> {
  console.log("\nenvironments x jobs | run                         | front end | requests");
  console.log("--------------------|-----------------------------|-----------|---------");
  for (const frontEnd of [dynamicProvider, plugin])
    await printRequestsOf(bench, frontEnd, { environments: 5, jobs: 20, variables });
}

/** With a server of its own: runs remember what others have read there. */
async function printRequestsOf(given: Bench, frontEnd: FrontEnd, size: Size): Promise<void> {
  const { environments, jobs, variables } = size;
  const emulator = await createEmulator({ rateLimit: 0 });
  const bench = { ...given, emulator };
  const project = `${frontEnd.name}-${environments}x${jobs}x${variables}`;
  const program = benchProgram(project, size);
  // The organization of a server is older than a run.
  await control(bench.emulator, "clock", { advance_ms: 60_000 });
  const stack = await stackOf(bench, program, frontEnd);
  try {
    for (const [what, work] of [
      ["pulumi up, from nothing", () => stack.up()],
      ["pulumi preview", () => stack.preview()],
      ["pulumi refresh", () => stack.refresh()],
      ["second pulumi refresh", () => stack.refresh()],
      ["pulumi up, no changes", () => stack.up()],
      [
        "pulumi up, each job changed",
        async () => {
          await stack.rewrite(program.replace("cpu: 250", "cpu: 500"));
          return stack.up();
        },
      ],
      ["pulumi refresh after that", () => stack.refresh()],
      ["pulumi destroy", () => stack.destroy()],
    ] as const) {
      const { requests } = await countRequests(bench.emulator, () => succeed(work()));
      const cells = [
        `${environments} x ${jobs} x ${variables} vars`.padEnd(19),
        what.padEnd(27),
        frontEnd.name.padEnd(9),
        String(requests).padStart(8),
      ];
      console.log(cells.join(" | "));
      // What was just written is read again until it has settled.
      await control(bench.emulator, "clock", { advance_ms: 60_000 });
    }
  } finally {
    await stack.remove();
    await emulator.close();
  }
}

async function stackOf(
  { engine, infrasync, initial, emulator }: Bench,
  program: string,
  frontEnd: FrontEnd,
): Promise<Stack> {
  return Stack.create(engine, new AbortController().signal, {
    program,
    translate: frontEnd.of,
    files: frontEnd.files,
    initial,
    packages: { infrasync },
    programs: { [pluginName]: path.join(infrasync, "dist", "provider", "plugin", "main.js") },
    environment: {
      INFRASYNC_BASE_URL: emulator.url,
      INFRASYNC_TOKEN: emulator.tokens.admin,
      INFRASYNC_CACHE: path.join(infrasync, "caches"),
      NODE_COMPILE_CACHE: path.join(infrasync, "compiled"),
    },
  });
}

async function succeed(run: ReturnType<Stack["up"]>): Promise<void> {
  const { exitCode, errors, stderr } = await run;
  if (exitCode !== 0) throw new Error(`Pulumi failed: ${errors.join("; ")}${stderr}`);
}

function slowDown(emulator: Emulator, milliseconds: number): Promise<void> {
  return control(emulator, "faults", [{ path: "/**", delay_ms: milliseconds }]);
}

function withoutProvider(resources: number): string {
  return `
    import { ComponentResource } from "@pulumi/pulumi";
    for (let number = 0; number < ${resources}; number += 1) new ComponentResource("bench:index:Nothing", \`job-\${number}\`);
  `;
}

function trivialProvider(resources: number): string {
  return `
    import { dynamic } from "@pulumi/pulumi";
    const provider = {
      create: async (inputs) => ({ id: inputs.name, outs: inputs }),
      diff: async (_id, olds, news) => ({ changes: olds.cpu !== news.cpu }),
      update: async (_id, _olds, news) => ({ outs: news }),
    };
    class Job extends dynamic.Resource {
      constructor(name, inputs) { super(provider, name, inputs); }
    }
    for (let number = 0; number < ${resources}; number += 1) {
      new Job(\`job-\${number}\`, {
        name: \`job-\${number}\`, cpu: 250, memory: 256,
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
        schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
      });
    }
  `;
}

function benchProgram(project: string, { environments, jobs, variables }: Size): string {
  return `
    import { Environment, Job, Project } from "infrasync/provider";
    const project = new Project("bench", { name: "${project}" });
    for (let environment = 0; environment < ${environments}; environment += 1) {
      const name = \`environment-\${environment}\`;
      const { id } = new Environment(name, { project: project.id, name, mode: "STAGING", cluster: "eu-west" });
      for (let job = 0; job < ${jobs}; job += 1) {
        new Job(\`\${name}-job-\${job}\`, {
          environment: id,
          name: \`job-\${job}\`,
          cpu: 250,
          memory: 256,
          source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
          schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
          variables: Object.fromEntries(
            Array.from({ length: ${variables} }, (_, index) => [\`KEY_\${index}\`, \`value \${index} of \${name} \${job}\`]),
          ),
        });
      }
    }
  `;
}

/** The peak of the memory that processes of a program took while some work was done, each by itself, in megabytes. Linux only. */
async function peakDuring(program: string, work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const watching = watch(program, over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  return Math.round((await watching) / 1024);
}

async function watch(program: string, over: AbortSignal): Promise<number> {
  let peak = 0;
  while (!over.aborted) {
    for (const id of await readdir("/proc")) peak = Math.max(peak, await peakOf(id, program));
    await sleep(20);
  }
  return peak;
}

/** In kB; 0 for a process of another program, or one that has ended. */
async function peakOf(id: string, program: string): Promise<number> {
  if (!/^\d+$/.test(id)) return 0;
  try {
    const commandLine = await readFile(`/proc/${id}/cmdline`, "utf8");
    if (!commandLine.includes(program)) return 0;
    const [, peak] = /^VmHWM:\s*(\d+) kB/m.exec(await readFile(`/proc/${id}/status`, "utf8")) ?? [];
    return Number(peak ?? 0);
  } catch {
    return 0;
  }
}
