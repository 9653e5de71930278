import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { emitPackage } from "../../../tools/package.ts";
import { startKeyService } from "./key-service.ts";
import { initialStack } from "./stack.ts";
import { engineFolder, EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

/**
 * Where the Pulumi programs, the compiled package and a stack to begin with are, and the variables of the key service; or
 * the line that says what to install.
 */
export type EngineFinding =
  | { folder: string; infrasync: string; stack: string; keys: Record<string, string> }
  | { missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    pulumi: EngineFinding;
  }
}

/**
 * Finds or builds the engine before the first end-to-end test, and compiles the package for its programs. Without an
 * engine those tests are skipped, except in continuous integration, where a missing engine is a failure.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const finding = await findEngine();
  if (typeof finding !== "string") {
    project.provide("pulumi", finding);
    return undefined;
  }
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-engine-"));
  const [infrasync, stack] = [path.join(folder, "package"), path.join(folder, "stack")];
  const keyService = await startKeyService();
  const keys = keyService.environment;
  await Promise.all([emitPackage(infrasync), initialStack(finding, stack, keys)]);
  project.provide("pulumi", { folder: finding, infrasync, stack, keys });
  return async () => {
    await keyService[Symbol.asyncDispose]();
    await removeFolder(folder);
  };
}

async function findEngine(): Promise<string | { missing: string }> {
  try {
    return await engineFolder(report);
  } catch (error) {
    if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
    report(`the tests with the Pulumi engine are skipped: ${error.message}`);
    return { missing: error.message };
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
