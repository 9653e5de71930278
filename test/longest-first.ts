import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, because they wait for processes of their own. */
const long =
  /\/test\/(?:cli\/ci|faults|docs|package\.test|tools\/demo|cli\/commands\/reconcile|reconciler\/(?:cycle|looking))/;

/** Starts what takes longest first, so that short files are left for the end, and all workers end at the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === "pulumi" ? 0 : long.test(moduleId) ? 1 : 2;
    // oxlint-disable-next-line unicorn/no-array-sort -- the files stay as they are
    const byLastTimeOrSize = await super.sort(files);
    return byLastTimeOrSize.toSorted((one, other) => rank(one) - rank(other));
  }
}
