import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { commitOf, deal, type Slice, sliceOf } from "./slices.ts";
import { slicedFiles, sliceLimit, slowFiles } from "./slow-files.ts";

const root = path.join(import.meta.dirname, "..");

/**
 * Starts what takes longest first, so that short files are left for the end, and all workers end at the same time. Of a run of
 * all files, it leaves out the slow ones of other slices; a run that names files or a project has all that it names.
 */
export class SliceSequencer extends BaseSequencer {
  /** Whether this run is one of all files, and its slice of them, if it leaves out any. */
  static run: { isWhole: boolean; slice?: Slice } = { isWhole: false };

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const present = new Set(files.map(nameOf));
    const isWhole = slicedFiles.every(({ name }) => present.has(name));
    const slice = isWhole
      ? sliceOf(deal(slicedFiles, sliceLimit), process.env["INFRASYNC_SLICE"], commitOf(root))
      : undefined;
    SliceSequencer.run = { isWhole, ...(slice && { slice }) };
    const others = new Set(
      slicedFiles.flatMap(({ name }) => (slice && !slice.names.has(name) ? [name] : [])),
    );
    const ran = files.filter((file) => !others.has(nameOf(file)));
    // oxlint-disable-next-line unicorn/no-array-sort -- it sorts no array in place
    const byLastTimeOrSize = await super.sort(ran);
    const seconds = new Map(slowFiles.map((slow) => [slow.name, slow.seconds]));
    const rank = (file: TestSpecification) => seconds.get(nameOf(file)) ?? 0;
    return byLastTimeOrSize.toSorted((one, other) => rank(other) - rank(one));
  }
}

/** The name of a test file in the list of slow ones. */
export function nameOf({ moduleId }: { moduleId: string }): string {
  return path
    .relative(root, moduleId)
    .replaceAll(path.sep, "/")
    .replace(/\.test\.ts$/, "");
}
