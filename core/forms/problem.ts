import type { Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";
import { fromForm, inForm } from "./members.ts";
import type { ProblemForm, RemedyForm } from "./problem-form.ts";

/** A problem in its JSON form, with the line where it stands. */
export function encodeProblem<Code extends string>({
  position,
  remedies,
  ...problem
}: Problem<Code>): Omit<ProblemForm, "code"> & { code: Code } {
  const { text: lineText, ...place } = position ?? {};
  return {
    ...inForm({ ...problem, remedies: remedies?.map(encodeRemedy), ...place, lineText }),
    code: problem.code,
    message: problem.message,
  };
}

/** A remedy in its JSON form. */
export function encodeRemedy(remedy: Remedy): RemedyForm {
  return inForm(remedy) as RemedyForm;
}

/** The problem that a JSON form stands for. */
export function decodeProblem(problem: ProblemForm): Problem {
  const { file, line, column, line_text: text = "", remedies, ...others } = problem;
  return {
    ...others,
    ...(remedies && { remedies: remedies.map(decodeRemedy) }),
    ...(file !== undefined &&
      line !== undefined &&
      column !== undefined && { position: { file, line, column, text } }),
  };
}

/** The remedy that a JSON form stands for. The digest of a saved plan vouches for the rest: only `encodeRemedy` has made it. */
export function decodeRemedy(remedy: RemedyForm): Remedy {
  return fromForm(remedy) as Remedy;
}
