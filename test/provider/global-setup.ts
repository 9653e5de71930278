import type { TestProject } from "vitest/node";
import { engineFolder, EngineMissingError } from "../../tools/pulumi/engine.ts";

/** Where the Pulumi programs are, or the line that says what to install. */
export type EngineFinding = { folder: string } | { missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    pulumi: EngineFinding;
  }
}

/**
 * Finds or builds the engine before the first end-to-end test. Without one those tests are skipped, except in
 * continuous integration, where a missing engine is a failure.
 */
export default async function setup(project: TestProject): Promise<void> {
  try {
    project.provide("pulumi", { folder: await engineFolder(report) });
  } catch (error) {
    if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
    report(`the tests with the Pulumi engine are skipped: ${error.message}`);
    project.provide("pulumi", { missing: error.message });
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
