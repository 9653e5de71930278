import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Two commands in turn: medians of the first, and of the ratios of neighbouring runs. */
export interface Comparison {
  /** Time on any core, of all threads. */
  cpu: { milliseconds: number; ratio: number };
  /** Time on the clock, from start to end. */
  wall: { milliseconds: number; ratio: number };
}

/** Runs two commands in turn, the given number of times each, after a run of each that does not count. */
export async function compare(
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
