import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Problem } from "../../../core/problem.ts";
import { policyFileName } from "../../../core/source/files.ts";

/** The problems of the policy files in these folders. */
export async function policyProblems(sources: readonly string[]): Promise<Problem[]> {
  const files = sources.map((source) =>
    basename(source) === policyFileName ? source : join(source, policyFileName),
  );
  return (await Promise.all(files.map(problemsOf))).flat();
}

async function problemsOf(file: string): Promise<Problem[]> {
  let content: Uint8Array;
  try {
    content = readFileSync(file);
  } catch {
    // There is none, or reading the source itself has been a problem.
    return [];
  }
  const { readPolicy } = await import("../../../reconciler/policy/file.ts");
  return readPolicy(content, file).problems;
}
