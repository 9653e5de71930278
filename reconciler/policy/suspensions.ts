import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { isFields, textIn } from "../../core/json.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { type Identity, identityIn } from "../identity.ts";
import type { EnvironmentRules, Suspension } from "./file.ts";
import { readEnvironmentPattern } from "./schema.ts";

/** A suspension by the operator, and the environments that it is for. */
export interface NamedSuspension extends Suspension {
  /** `shop/production`. */
  pattern: string;
  /** Who has asked for it. */
  by?: Identity;
}

/**
 * The suspensions that the operator has put into the data folder of a service.
 *
 * @throws InvalidInputError when the file is damaged: what was suspended must not go on because of that
 */
export async function readSuspensions(folder: string): Promise<NamedSuspension[]> {
  const file = join(folder, fileName);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const suspensions = parse(text);
  if (suspensions) return suspensions;
  throw new InvalidInputError([
    { code: "setting", message: `${file} is damaged`, advice: "delete it, and suspend again what has to be" },
  ]);
}

/** Suspends environments; an earlier suspension of the same pattern is replaced. Those that are over are removed. */
export async function suspend(folder: string, suspension: NamedSuspension, now: number): Promise<void> {
  const others = (await readSuspensions(folder)).filter(
    ({ pattern, until }) => pattern !== suspension.pattern && until > now,
  );
  await write(folder, [...others, suspension]);
}

/** Ends the suspension of a pattern. Gives whether there was one. */
export async function resume(folder: string, given: string, now: number): Promise<boolean> {
  const all = await readSuspensions(folder);
  const rest = all.filter(({ pattern, until }) => pattern !== given && until > now);
  await write(folder, rest);
  return all.some(({ pattern, until }) => pattern === given && until > now);
}

/** Suspensions in the form of the rules of a policy. */
export function rulesOfSuspensions(suspensions: readonly NamedSuspension[]): EnvironmentRules[] {
  return suspensions.flatMap(({ pattern: text, until, reason: why, by }) => {
    const pattern = readEnvironmentPattern(text);
    const reason = by === undefined ? why : `${why} (${by.name})`;
    return "matches" in pattern ? [{ pattern, suspend: { until, reason } }] : [];
  });
}

const fileName = "suspensions.json";

async function write(folder: string, suspensions: readonly NamedSuspension[]): Promise<void> {
  await makeFolder(folder);
  await writeWhole(join(folder, fileName), `${JSON.stringify({ version: 1, suspensions }, undefined, 2)}\n`);
}

function parse(text: string): NamedSuspension[] | undefined {
  try {
    const content: unknown = JSON.parse(text);
    const given = isFields(content) ? content["suspensions"] : undefined;
    if (!Array.isArray(given)) return undefined;
    const read = given.flatMap((each) => {
      if (!isFields(each)) return [];
      const { until } = each;
      const [pattern, reason] = ["pattern", "reason"].map((member) => textIn(each, member));
      const by = identityIn(each["by"]);
      const isWhole = typeof until === "number" && pattern !== undefined && reason !== undefined;
      return isWhole && "matches" in readEnvironmentPattern(pattern)
        ? [{ pattern, until, reason, ...(by !== undefined && { by }) }]
        : [];
    });
    return read.length === given.length ? read : undefined;
  } catch {
    return undefined;
  }
}
