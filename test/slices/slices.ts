import { execFileSync } from "node:child_process";

/** A slow test file, and the seconds that it takes. */
export interface SlowFile {
  /** From the folder `test`, without its ending: `docs/pages`. */
  name: string;
  seconds: number;
}

/** What a run has of the slow files. */
export interface Slice {
  /** From 1. */
  number: number;
  of: number;
  names: ReadonlySet<string>;
}

/**
 * Deals files to slices that take about the same time each: as few as are needed for each to take no longer than the limit,
 * or little longer.
 *
 * @param limit seconds
 */
export function deal(files: readonly SlowFile[], limit: number): string[][] {
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const slices = Array.from({ length: Math.max(1, Math.ceil(total / limit)) }, () => ({
    seconds: 0,
    names: [] as string[],
  }));
  const longestFirst = files.toSorted((one, other) => other.seconds - one.seconds);
  for (const { name, seconds } of longestFirst) {
    const shortest = slices.reduce((best, slice) => (slice.seconds < best.seconds ? slice : best));
    shortest.seconds += seconds;
    shortest.names.push(name);
  }
  return slices.map(({ names }) => names);
}

/**
 * The slice of a run: the one that the commit chooses. So a commit is always tested alike, and its successors test the rest.
 *
 * @param wanted the variable INFRASYNC_SLICE: `all`, or a number from 1
 * @param commit a commit id; undefined outside a repository, where everything is tested
 * @returns undefined: all files
 * @throws Error for another value of the variable
 */
export function sliceOf(
  slices: readonly string[][],
  wanted: string | undefined,
  commit: string | undefined,
): Slice | undefined {
  if (wanted === "all" || (wanted === undefined && commit === undefined)) return undefined;
  const number =
    wanted === undefined
      ? (Number.parseInt((commit ?? "").slice(0, 8), 16) % slices.length) + 1
      : Number(wanted);
  const names = slices[number - 1];
  if (!names)
    throw new Error(`INFRASYNC_SLICE must be all or a number from 1 to ${slices.length}, not "${wanted}"`);
  return { number, of: slices.length, names: new Set(names) };
}

/** The id of the commit that is checked out; undefined outside a repository. */
export function commitOf(folder: string): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return undefined;
  }
}
