// npm run bench -- requests: the costs of runs of Pulumi through each front end, with the real engine.
import path from "node:path";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { dynamicProvider, type FrontEnd, plugin } from "../provider/engine/front-ends.ts";
import { initialStack, Stack } from "../provider/engine/stack.ts";
import { engineFolder } from "../../tools/pulumi/engine.ts";
import type { Size } from "./manifests.ts";
import { withPlace } from "./place.ts";
import { control, countRequests } from "./requests.ts";

const pluginName = "pulumi-resource-infrasync";

/** The folders of a benchmark's programs. */
interface Bench {
  engine: string;
  /** The folder of the package. */
  infrasync: string;
  /** The initial folder of a stack. */
  initial: string;
  emulator: Emulator;
}

/** Prints the requests of runs with 5 environments of 20 jobs, which refreshes cache. */
export async function benchPulumiRequests(): Promise<void> {
  const engine = await engineFolder((line) => console.error(line));
  await withPlace(async ({ scratch, infrasync }) => {
    const bench = { engine, infrasync, initial: path.join(scratch, "stack") };
    await initialStack(engine, bench.initial);
    console.log("\nenvironments x jobs | run                         | front end | requests");
    console.log("--------------------|-----------------------------|-----------|---------");
    for (const frontEnd of [dynamicProvider, plugin])
      await printRequestsOf(bench, frontEnd, { environments: 5, jobs: 20, variables: 2 });
  });
}

/** With a server of its own, because runs use a common cache for a server. */
async function printRequestsOf(
  given: Omit<Bench, "emulator">,
  frontEnd: FrontEnd,
  size: Size,
): Promise<void> {
  const { environments, jobs, variables } = size;
  const emulator = await createEmulator({ behaviour: { rate_limit: 0 } });
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
      // Recent writes are read again until they have settled.
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
