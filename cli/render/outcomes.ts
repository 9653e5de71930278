import type { Outcome } from "../../core/execution/execute/index.ts";
import { type RemarkCode, remarkCodes } from "../../core/problems/codes.ts";
import { counted } from "./text.ts";
import { factsOf } from "../../core/planning/plan/index.ts";

/** The past participle for a finished action: `created`. */
export function accomplished(outcome: Outcome): string {
  if (outcome.goesOn) return "being deployed";
  return outcome.already ? "already as planned" : factsOf(outcome).past;
}

/** Counts what a run has changed or may have changed: `2 created`, `1 already as planned`, `1 clone requested and pending`. */
export function countEffects(outcomes: readonly Outcome[]): string[] {
  const done = outcomes.filter(({ status }) => status === "done");
  const lost = outcomes.filter((outcome) => outcome.lost !== undefined);
  const duplicated = outcomes.filter(({ code }) => code === "duplicated");
  const renamed = outcomes.filter(({ code }) => code === "renamed");
  const lostValue = outcomes.filter(({ code }) => code === "value_lost");
  const unclear = outcomes.filter(({ code }) => code === "unclear");
  const pending = outcomes.filter(({ status, code }) => status === "pending" && code !== "unclear");
  return [
    ...[...Map.groupBy(done, accomplished)].map(([what, { length }]) => `${length} ${what}`),
    ...[...Map.groupBy(pending, (outcome) => factsOf(outcome).noun)].map(
      ([what, { length }]) => `${counted(length, what)} requested and pending`,
    ),
    ...(duplicated.length > 0 ? [`${duplicated.length} created twice`] : []),
    ...(renamed.length > 0 ? [`${renamed.length} created under another name`] : []),
    ...(lostValue.length > 0 ? [`${lostValue.length} with a lost value`] : []),
    ...(unclear.length > 0 ? [`${unclear.length} of unknown outcome`] : []),
    ...(lost.length > 0 ? [`${lost.length} deleted and not created again`] : []),
  ];
}

/** All remarks in one sentence; undefined where there is none. */
export function remarksText(codes: readonly RemarkCode[] = []): string | undefined {
  return codes.length === 0 ? undefined : codes.map((code) => remarkCodes[code].words).join("; ");
}
