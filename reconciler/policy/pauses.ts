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
  /** When it was asked for, in milliseconds since 1970. */
  at: Type.Number(),
});

/** A time until which a person lets nothing be applied in some environments. Pauses stand beside each other. */
export type Pause = StoredForm<typeof pauseForm>;

/** The pauses in the data folder of a service, also those that are over. */
export const pausesForm = form({ pauses: Type.Array(pauseForm) });

const fileName = "pauses.json";

/**
 * The pauses in the data folder of a service, also those that are over.
 *
 * @throws InvalidInputError when the file is damaged: what was paused must not go on because of that
 */
export async function readPauses(folder: string): Promise<readonly Pause[]> {
  const file = join(folder, fileName);
  const read = await readStoredFile(pausesForm, file);
  return read ? ensureRead(read, file, "delete it, and pause again what has to be").pauses : [];
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
  await store(join(folder, fileName), { pauses });
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
