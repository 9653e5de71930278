import { join } from "node:path";
import { makeFolder, readIfThere, writeWhole } from "../../core/files.ts";
import { isFields, textIn } from "../../core/json.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { type Identity, identityIn } from "../identity.ts";
import type { EnvironmentRules, Suspension } from "./file.ts";
import { type Rules, suspendedBy } from "./rules.ts";
import { readEnvironmentScope } from "../../core/scope.ts";

/** A time until which a person lets nothing be applied in some environments. Pauses stand beside each other. */
export interface Pause {
  /** The environments: `shop/production`, `shop/*`, `**`. */
  pattern: string;
  /** Milliseconds since 1970. */
  until: number;
  reason: string;
  by: Identity;
  /** When it was asked for, in milliseconds since 1970. */
  at: number;
}

const fileName = "pauses.json";

/**
 * The pauses in the data folder of a service, also those that are over.
 *
 * @throws InvalidInputError when the file is damaged: what was paused must not go on because of that
 */
export async function readPauses(folder: string): Promise<Pause[]> {
  const file = join(folder, fileName);
  const text = await readIfThere(file);
  if (text === undefined) return [];
  const pauses = pausesIn(text);
  if (pauses) return pauses;
  throw new InvalidInputError([
    { code: "setting", message: `${file} is damaged`, advice: "delete it, and pause again what has to be" },
  ]);
}

/** For how long a pause that is over is kept, in milliseconds: a clock that has jumped ends none for good. */
const longestJump = 2 * 86_400_000;

/** Changes the pauses in a data folder; those that are long over are removed. Only the service of the folder does that. */
export async function changePauses(
  folder: string,
  now: number,
  change: (pauses: readonly Pause[]) => readonly Pause[],
): Promise<void> {
  const pauses = change((await readPauses(folder)).filter(({ until }) => until > now - longestJump));
  await makeFolder(folder);
  await writeWhole(join(folder, fileName), `${JSON.stringify({ version: 1, pauses }, undefined, 2)}\n`);
}

/** Whether a pause holds in an environment or a project. @param names none: what is in no project */
export function isPausedBy({ pattern: text, until }: Pause, names: readonly string[], now: number): boolean {
  const pattern = readEnvironmentScope(text);
  return until > now && "matches" in pattern && pattern.matches(names);
}

/** Pauses in the form of the rules of a policy. */
export function rulesOfPauses(pauses: readonly Pause[]): EnvironmentRules[] {
  return pauses.flatMap((pause) => {
    const pattern = readEnvironmentScope(pause.pattern);
    return "matches" in pattern ? [{ pattern, suspend: suspensionOf(pause) }] : [];
  });
}

/**
 * The suspensions of an environment, with the pauses that hold now in the place of those from before.
 *
 * @param before those of the last cycle
 * @param names those of the environment
 */
export function suspendedNow(
  before: readonly Suspension[] | undefined,
  names: readonly string[],
  pauses: readonly Pause[],
  now: number,
): Pick<Rules, "suspensions"> {
  const ofPolicy = (before ?? []).filter(({ pause: ofPerson, until }) => !ofPerson && until > now);
  const paused = pauses.filter((each) => isPausedBy(each, names, now)).map(suspensionOf);
  return suspendedBy([...ofPolicy, ...paused]);
}

/** A pause as one of the suspensions of an environment. */
function suspensionOf({ pattern, until, reason, by }: Pause) {
  return { until, reason, pause: { pattern, by } };
}

/** The pauses in the content of a file; undefined where it is damaged. */
export function pausesIn(text: string): Pause[] | undefined {
  try {
    const content: unknown = JSON.parse(text);
    const given = isFields(content) ? content["pauses"] : undefined;
    if (!Array.isArray(given)) return undefined;
    const read = given.flatMap((each) => {
      if (!isFields(each)) return [];
      const { until, at } = each;
      const [pattern, reason] = ["pattern", "reason"].map((member) => textIn(each, member));
      const by = identityIn(each["by"]);
      if (typeof until !== "number" || typeof at !== "number") return [];
      if (pattern === undefined || reason === undefined || by === undefined) return [];
      return "matches" in readEnvironmentScope(pattern) ? [{ pattern, until, reason, by, at }] : [];
    });
    return read.length === given.length ? read : undefined;
  } catch {
    return undefined;
  }
}
