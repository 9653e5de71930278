import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { policyFileName } from "../../core/source/files.ts";

/** Reads the policy files in folders that a command names. */
export async function readPolicyFiles(sources: readonly string[]) {
  const files = sources.map((source) =>
    basename(source) === policyFileName ? source : join(source, policyFileName),
  );
  const read = await Promise.all(files.map(readOne));
  return {
    restrictions: read.flatMap(({ restrictions }) => restrictions),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** What the policy files restrict; their mistakes forbid no plan. */
export async function policyRestrictions(sources: readonly string[]): Promise<Restriction[]> {
  return (await readPolicyFiles(sources)).restrictions;
}

async function readOne(file: string) {
  let content: Uint8Array;
  try {
    content = readFileSync(file);
  } catch {
    // There is none, or reading the source itself has been a problem.
    return { restrictions: [], problems: [] };
  }
  // Few folders have one.
  const { readPolicy } = await import("../../reconciler/policy/file.ts");
  return readPolicy(content, file);
}
