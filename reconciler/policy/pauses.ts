import Type from "typebox";
import { form } from "../../core/outputs/forms/forms.ts";
import { type StoredForm, textThat } from "../../core/files/stored-form.ts";
import { identityForm } from "../identity.ts";
import type { EnvironmentRules, Suspension } from "./file.ts";
import { type Rules, suspendedBy } from "./rules.ts";
import type { Environment } from "./environments.ts";
import { readEnvironmentScope } from "../../core/model/addresses/scope.ts";

export const pauseForm = form({
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

/** The suspensions of an environment, with the present pauses in place of those of the last cycle. */
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

/** The rules of an environment with the pauses that hold now, in the place of those of the last cycle. */
export function rulesNow(
  { suspensions, ...rules }: Rules,
  { names }: Pick<Environment, "names">,
  pauses: readonly Pause[],
  now: number,
): Rules {
  return { ...rules, ...suspendedNow(suspensions, names, pauses, now) };
}

function suspensionOf({ pattern, until, reason, by }: Pause) {
  return { until, reason, pause: { pattern, by } };
}
