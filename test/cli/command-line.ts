import { createRequire } from "node:module";
import type * as Sources from "../../cli/command-line.ts";
import { programs } from "../fixtures/programs.ts";

/**
 * The command line that tests run in their own process: that of the sources; with INFRASYNC_TEST_BUNDLE=true that of the
 * bundle, as the package ships it. Tests that start processes start the bundle always.
 */
export const { runCommandLine } =
  process.env["INFRASYNC_TEST_BUNDLE"] === "true"
    ? // Not `import()`, of which vitest would transform the bundle.
      (createRequire(import.meta.url)(programs.commandLineModule) as typeof Sources)
    : await import("../../cli/command-line.ts");
