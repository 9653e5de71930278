import type { Reporter, TestModule } from "vitest/node";
import { nameOf, SliceSequencer } from "./sequencer.ts";
import type { Slice } from "./slices.ts";
import { slowGroups } from "./slow-files.ts";

/** A file that takes longer, in seconds, belongs to a group that says why. */
const slowSeconds = 20;

/** Says at the end of a run of all files which tests were slow, and why, and which slice of them it was. */
export class SlowReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { isWhole, slice } = SliceSequencer.run;
    if (!isWhole) return;
    const seconds = new Map(modules.map((module) => [nameOf(module), module.diagnostic().duration / 1000]));
    console.log(slowReport(seconds, slice));
  }
}

/** @param seconds how long each file of the run has taken */
export function slowReport(seconds: ReadonlyMap<string, number>, slice: Slice | undefined): string {
  const told = (names: Iterable<string>) =>
    [...names]
      .flatMap((name) => (seconds.has(name) ? [{ name, time: Math.round(seconds.get(name) ?? 0) }] : []))
      .toSorted((one, other) => other.time - one.time)
      .map(({ name, time }) => `${name} ${time} s`)
      .join(", ");
  const groups = slowGroups
    .map(({ why, files }) => ({ why, files: told(Object.keys(files)) }))
    .filter(({ files }) => files !== "");
  const listed = new Set(slowGroups.flatMap(({ files }) => Object.keys(files)));
  const others = [...seconds].flatMap(([name, time]) =>
    time > slowSeconds && !listed.has(name) ? [name] : [],
  );
  return [
    slice
      ? `Slow tests, slice ${slice.number} of ${slice.of}, which the commit has chosen (INFRASYNC_SLICE=all runs all of them):`
      : "Slow tests:",
    ...groups.map(({ why, files }) => `  ${why}:\n    ${files}`),
    ...(others.length > 0 ? [`  in no group of test/slices/slow-files.ts:\n    ${told(others)}`] : []),
  ].join("\n");
}
