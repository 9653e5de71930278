import path from "node:path";
import { createEmulator } from "../../emulator/index.ts";
import { Stack } from "../../test/provider/engine/stack.ts";
import { engineFolder, EngineMissingError } from "../pulumi/engine.ts";
import type { Size } from "./manifests.ts";
import { countRequests } from "./requests.ts";

/**
 * The cost of one run of the Pulumi command line, in requests. Its time and memory are left out, because they include those of the engine.
 */
export interface PulumiFigures {
  run: string;
  requests: number;
  milliseconds: number;
}

/**
 * Measures `up` from nothing, then `preview`, `refresh` and `up` without changes, with the real engine. Returns undefined without an
 * engine; a line on standard error then says what to install.
 *
 * @param infrasync the folder of the package
 */
export async function measurePulumi(size: Size, infrasync: string): Promise<PulumiFigures[] | undefined> {
  const engine = await findEngine();
  if (engine === undefined) return undefined;
  const emulator = await createEmulator({ rateLimit: 0 });
  try {
    const stack = await Stack.create(engine, new AbortController().signal, {
      program: benchProgram(size),
      packages: { infrasync },
      environment: {
        INFRASYNC_BASE_URL: emulator.url,
        INFRASYNC_TOKEN: emulator.tokens.admin,
        NODE_COMPILE_CACHE: path.join(infrasync, "compiled"),
      },
    });
    const figures: PulumiFigures[] = [];
    for (const [run, work] of [
      ["pulumi up from nothing", () => stack.up()],
      ["pulumi preview", () => stack.preview()],
      ["pulumi refresh", () => stack.refresh()],
      ["pulumi up, no changes", () => stack.up()],
    ] as const) {
      const started = performance.now();
      const { result, requests } = await countRequests(emulator, work);
      const milliseconds = Math.round(performance.now() - started);
      if (result.exitCode !== 0) throw new Error(`${run} failed: ${result.errors.join("; ")}`);
      figures.push({ run, requests, milliseconds });
    }
    await stack.remove();
    return figures;
  } finally {
    await emulator.close();
  }
}

async function findEngine(): Promise<string | undefined> {
  try {
    return await engineFolder((line) => console.error(line));
  } catch (error) {
    if (!(error instanceof EngineMissingError)) throw error;
    console.error(`Pulumi is not measured: ${error.message}`);
    return undefined;
  }
}

function benchProgram({ environments, jobs }: Size): string {
  return `
    import { Environment, Job, Project } from "infrasync/provider";
    const project = new Project("bench", { name: "bench" });
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
        });
      }
    }
  `;
}
