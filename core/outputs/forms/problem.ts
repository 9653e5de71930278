import type { Problem } from "../../problems/problem.ts";
import { inForm } from "./members.ts";
import type { ProblemForm } from "./problem-form.ts";

/** A problem in its JSON form, with its position. A front end phrases the remedies. */
export function encodeProblem<Code extends string>({
  position,
  remedies: _remedies,
  said: _said,
  unknown: _unknown,
  unmatched: _unmatched,
  rule: _rule,
  others: _others,
  ...problem
}: Problem<Code>): Omit<ProblemForm, "code"> & { code: Code } {
  const { text: _text, ...place } = position ?? {};
  return { ...inForm({ ...problem, ...place }), code: problem.code, message: problem.message };
}
