// npm run bench -- start: the wait of a person before the first request. Whole processes; each figure is the median of
// several runs, beside a process that does nothing or only parses, in turn with it, so that the ratios are valid on a
// busy machine too.
import path from "node:path";
import { createEmulator } from "../../emulator/index.ts";
import type { Size } from "./manifests.ts";
import { manifestsIn, type Place, withPlace } from "./place.ts";
import { control } from "./requests.ts";
import { runOnce } from "./run-once.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const latency = 100;

interface Start extends Comparison {
  what: string;
  megabytes: number;
}

/** Prints the cost of starting: CPU beside `node -e 0`, and for ten thousand jobs the time beside the YAML parser. */
export async function benchStart(): Promise<void> {
  await withPlace(measureCommands);
}

async function measureCommands({ scratch, infrasync }: Place): Promise<void> {
  const write = (name: string, size: Size) => manifestsIn(path.join(scratch, name), size, name);
  const few = await write("few", { environments: 1, jobs: 1, variables: 0 });
  const some = await write("some", { environments: 5, jobs: 20, variables: 0 });
  const many = await write("many", { environments: 100, jobs: 100, variables: 0 });
  const parser = path.join(import.meta.dirname, "parse-yaml.ts");
  const emulator = await createEmulator({ behaviour: { rate_limit: 0 } });
  const env = {
    INFRASYNC_BASE_URL: emulator.url,
    INFRASYNC_TOKEN: emulator.tokens.admin,
    XDG_CACHE_HOME: path.join(scratch, "cache"),
  };
  const show = async ({
    what,
    args,
    promise,
    runs = 10,
    beside = ["-e", "0"],
  }: {
    what: string;
    args: readonly string[];
    promise: string;
    runs?: number;
    /** The command line of the process beside it. */
    beside?: readonly string[];
  }) => {
    const node = process.execPath;
    // The first run compiles; the second, whose memory is measured, uses the compiled modules.
    await runOnce(infrasync, args, env);
    const { megabytes } = await runOnce(infrasync, args, env);
    const command = [node, path.join(infrasync, "dist", "cli", "main.js"), ...args];
    print({ what, megabytes, ...(await compare(command, [node, ...beside], runs, env)) }, promise);
  };

  try {
    console.log(header);
    await show({ what: "--version", args: ["--version"], promise: "CPU 1.6 x" });
    await show({ what: "--help", args: ["--help"], promise: "CPU 3.5 x" });
    await show({ what: "complete a word", args: ["complete", "shop/"], promise: "CPU 3.5 x" });
    await show({ what: "validate, 3 documents", args: ["validate", few], promise: "CPU 7 x" });
    await runOnce(infrasync, ["apply", few, "--yes"], env);
    await show({ what: "plan, 3 documents", args: ["plan", few], promise: "CPU 9 x, 90 MB" });
    const beside = [parser, many];
    await show({
      what: "validate, 10,000 jobs",
      args: ["validate", many],
      promise: "wall 1.1 x",
      runs: 5,
      beside,
    });
    await runOnce(infrasync, ["apply", many, "--yes"], env);
    await show({
      what: "plan, 10,000 jobs",
      args: ["plan", many],
      promise: "wall 1.25 x, 330 MB",
      runs: 5,
      beside,
    });
    await runOnce(infrasync, ["apply", some, "--yes"], env);
    await control(emulator, "faults", [{ path: "/**", delay_ms: latency }]);
    await show({
      what: `plan, 5 x 20, ${latency} ms latency`,
      args: ["plan", some],
      promise: "450 ms + start",
    });
  } finally {
    await emulator.close();
  }
}

const widths = [26, 7, 7, 9, 9, 5, 18];
const header = [
  cells(["command", "CPU x", "wall x", "CPU ms", "wall ms", "MB", "to hold"]),
  widths.map((width) => "-".repeat(width)).join("-|-"),
].join("\n");

function print({ what, megabytes, cpu, wall }: Start, promise: string): void {
  console.log(
    cells([
      what,
      cpu.ratio.toFixed(2),
      wall.ratio.toFixed(2),
      cpu.milliseconds.toFixed(0),
      wall.milliseconds.toFixed(0),
      String(megabytes),
      promise,
    ]),
  );
}

function cells(texts: readonly string[]): string {
  return texts
    .map((text, index) => (index === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[index] ?? 0)))
    .join(" | ");
}

/** Two commands in turn: medians of the first, and of the ratios of neighbouring runs. */
interface Comparison {
  /** Time on any core, of all threads. */
  cpu: { milliseconds: number; ratio: number };
  /** Time on the clock, from start to end. */
  wall: { milliseconds: number; ratio: number };
}

/** Runs two commands in turn, the given number of times each, after a run of each that does not count. */
async function compare(
  command: readonly string[],
  beside: readonly string[],
  runs: number,
  environment: Record<string, string>,
): Promise<Comparison> {
  const pairs = [];
  for (let run = 0; run <= runs; run += 1)
    pairs.push({ own: await time(command, environment), other: await time(beside, environment) });
  const counted = pairs.slice(1);
  const summary = (figure: keyof Comparison) => ({
    milliseconds: median(counted.map(({ own }) => own[figure])),
    ratio: median(counted.map(({ own, other }) => own[figure] / other[figure])),
  });
  return { cpu: summary("cpu"), wall: summary("wall") };
}

/** Times a process from outside, from its start to its end. Throws when it fails. */
async function time(command: readonly string[], environment: Record<string, string>) {
  // Node does not tell the usage of a child; bash does, to the millisecond.
  const script = 'exec 3>&2; TIMEFORMAT="%3U %3S %3R"; { time "$@" >/dev/null 2>&3; } 2>&1';
  const { stdout } = await promisify(execFile)("bash", ["-ec", script, "bash", ...command], {
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 28,
  });
  const [user = 0, system = 0, wall = 0] = stdout.trim().split(" ").map(Number);
  return { cpu: (user + system) * 1000, wall: wall * 1000 };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = low] =
    sorted.length % 2 === 0 ? sorted.slice(middle - 1) : sorted.slice(middle);
  return sorted.length % 2 === 0 ? (low + high) / 2 : low;
}
