import { join } from "node:path";
import Type from "typebox";
import { form } from "../../core/outputs/forms/forms.ts";
import {
  ensureRead,
  readStoredFile,
  type StoredForm,
  store,
  textThat,
} from "../../core/files/stored-form.ts";
import { identityForm } from "../identity.ts";
import type { EnvironmentRules, Suspension } from "./file.ts";
import { type Rules, suspendedBy } from "./rules.ts";
import { readEnvironmentScope } from "../../core/model/addresses/scope.ts";

const pauseForm = form({
  /** The environments: `shop/production`, `shop/*`, `**`. */
  pattern: textThat((pattern) => "matches" in readEnvironmentScope(pattern)),
  /** Milliseconds since 1970. */
  until: Type.Number(),
  reason: Type.String(),
  by: identityForm,
  /** When it was requested, in milliseconds since 1970. */
  at: Type.Number(),
});

/** A time until which a person lets nothing be applied in some environments. Pauses are independent. */
export type Pause = StoredForm<typeof pauseForm>;

/** The pauses in the data folder of a service, also ended ones. */
export const pausesForm = form({ pauses: Type.Array(pauseForm) });

const fileName = "pauses.json";

/**
 * The pauses in the data folder of a service, also ended ones.
 *
 * @throws InvalidInputError when the file is damaged, because a pause must not end by that
 */
export async function readPauses(folder: string): Promise<readonly Pause[]> {
  const file = join(folder, fileName);
  const read = await readStoredFile(pausesForm, file);
  return read ? ensureRead(read, file, "delete it, and pause again what has to be").pauses : [];
}

/** Milliseconds for which an ended pause is kept, so that a clock that has jumped ends none for good. */
const longestJump = 2 * 86_400_000;

/** Changes the pauses in a data folder; long ended ones are removed. Only the service of the folder calls it. */
export async function changePauses(
  folder: string,
  now: number,
  change: (pauses: readonly Pause[]) => readonly Pause[],
): Promise<void> {
  const pauses = change((await readPauses(folder)).filter(({ until }) => until > now - longestJump));
  await store(join(folder, fileName), { pauses });
}

/** Whether a pause applies to an environment or a project. @param names none: resources outside projects */
export function isPausedBy({ pattern: text, until }: Pause, names: readonly string[], now: number): boolean {
  const pattern = readEnvironmentScope(text);
  return until > now && "matches" in pattern && pattern.matches(names);
}

export function rulesOfPauses(pauses: readonly Pause[]): EnvironmentRules[] {
  return pauses.flatMap((pause) => {
    const pattern = readEnvironmentScope(pause.pattern);
    return "matches" in pattern ? [{ pattern, suspend: suspensionOf(pause) }] : [];
  });
}

/**
 * The suspensions of an environment, with the present pauses in place of earlier ones.
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

function suspensionOf({ pattern, until, reason, by }: Pause) {
  return { until, reason, pause: { pattern, by } };
}
