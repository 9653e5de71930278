// npm run bench: what a run costs, in requests first, then in time and memory. Figures, not tests: they are of the
// machine that runs them. `--size 5x20` measures one size only.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createEmulator, type Emulator } from "../../emulator/index.ts";
import { benchManifests, type Size } from "./manifests.ts";
import { measurePulumi } from "./pulumi.ts";
import type { Figures } from "./run-once.ts";

const run = promisify(execFile);
const runOnce = join(import.meta.dirname, "run-once.ts");
const latency = 100;

const { values } = parseArgs({ options: { size: { type: "string", multiple: true } } });
const sizes = (values.size ?? ["1x100", "5x20", "100x100"]).map((text): Size => {
  const [environments = Number.NaN, jobs = Number.NaN] = text.split("x").map(Number);
  if (!Number.isInteger(environments) || !Number.isInteger(jobs))
    throw new Error(`--size is like 5x20, not ${text}`);
  return { environments, jobs };
});

console.log("environments x jobs | run                         | requests |       ms |   CPU ms |  MB");
console.log("--------------------|-----------------------------|----------|----------|----------|----");
for (const size of sizes) await measure(size);
if (!values.size) await measureWithPulumi({ environments: 5, jobs: 20 });

async function measure(size: Size): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-bench-"));
  const emulator = await createEmulator({ rateLimit: 0 });
  try {
    for (const [name, text] of benchManifests(size)) await writeFile(join(folder, name), text);
    print(size, "apply from nothing", await once(emulator, "apply", folder));
    print(size, "no-op plan", await once(emulator, "plan", folder, 0));
    await fetch(`${emulator.url}/_emulator/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify([{ path: "/**", delay_ms: latency }]),
    });
    print(size, `no-op plan, ${latency} ms latency`, await once(emulator, "plan", folder, 0));
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true });
  }
}

async function measureWithPulumi(size: Size): Promise<void> {
  for (const { run: what, ...figures } of (await measurePulumi(size)) ?? []) print(size, what, figures);
}

async function once(
  emulator: Emulator,
  mode: "plan" | "apply",
  folder: string,
  expected?: number,
): Promise<Figures> {
  const env = { ...process.env, INFRASYNC_BASE_URL: emulator.url, INFRASYNC_TOKEN: emulator.tokens.admin };
  const { stdout } = await run(process.execPath, [runOnce, mode, folder], { env });
  const figures = JSON.parse(stdout) as Figures;
  if (expected !== undefined && figures.actions !== expected)
    throw new Error(`expected ${expected} actions, and there were ${figures.actions}`);
  return figures;
}

function print(
  { environments, jobs }: Size,
  what: string,
  {
    requests,
    milliseconds,
    cpuMilliseconds,
    megabytes,
  }: Pick<Figures, "requests" | "milliseconds"> & Partial<Figures>,
): void {
  const cells = [
    `${environments} x ${jobs}`.padEnd(19),
    what.padEnd(27),
    ...[requests, milliseconds, cpuMilliseconds ?? ""].map((cell) => String(cell).padStart(8)),
    String(megabytes ?? "").padStart(3),
  ];
  console.log(cells.join(" | "));
}
