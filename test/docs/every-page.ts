import { afterAll, expect, test } from "vitest";
import { CommandPool } from "../fixtures/command-pool.ts";
import { type Page, readPages } from "./markdown.ts";
import { runPage } from "./run-page.ts";
import { updatePage } from "./update.ts";

/** Whether a page runs the reconciler, which takes as long as all else: as its other tests, it belongs to those that take long. */
export function isOfReconciler({ blocks }: Page): boolean {
  return blocks.some(({ lines }) => lines.some((line) => /^\$ .*infrasync (?:reconcile|preview)/.test(line)));
}

/** Runs the commands of pages. */
export function testPages(isDesired: (page: Page) => boolean): void {
  // With INFRASYNC_TEST_BUNDLE=true, every command is a process, as for a reader.
  const pool = process.env["INFRASYNC_TEST_BUNDLE"] === "true" ? undefined : new CommandPool();

  afterAll(() => pool?.close());

  test.concurrent.each(readPages().filter(isDesired))(
    "the commands of $name print the output on the page",
    async (page) => {
      const differences = await runPage(page, pool);
      // Set this variable to write the real output into the pages.
      if (process.env["DOCS_UPDATE"]) return updatePage(page, differences);
      const place = ({ block, step }: (typeof differences)[number]) =>
        `${page.name}:${block.line + step.start}: ${step.command}`;
      expect(
        differences.map((difference) => ({
          at: place(difference),
          exitCode: difference.exitCode,
          output: difference.actual,
        })),
      ).toEqual(
        differences.map((difference) => ({
          at: place(difference),
          exitCode: difference.step.exitCode,
          output: difference.step.output,
        })),
      );
    },
  );
}
