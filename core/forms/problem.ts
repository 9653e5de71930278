import type { Position, Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";
import type { NoOthers } from "./forms.ts";
import type { ProblemForm, RemedyForm } from "./problem-form.ts";

/** A problem in its JSON form, with the line where it stands. */
export function encodeProblem<Code extends string>({
  code,
  message,
  advice,
  remedies,
  address,
  blocks,
  position,
  ...others
}: Problem<Code>): Omit<ProblemForm, "code"> & { code: Code } {
  return {
    code,
    message,
    ...(advice !== undefined && { advice }),
    ...(remedies && { remedies: remedies.map(encodeRemedy) }),
    ...(address !== undefined && { address }),
    ...(blocks !== undefined && { blocks }),
    ...(position && encodePosition(position)),
    ...(others satisfies NoOthers),
  };
}

function encodePosition({ file, line, column, text: lineText, ...others }: Position) {
  return { file, line, column, line_text: lineText, ...(others satisfies NoOthers) };
}

/** A remedy in its JSON form. */
export function encodeRemedy(remedy: Remedy): RemedyForm {
  if ("again" in remedy) {
    const { again, ...others } = remedy;
    return { again, ...(others satisfies NoOthers) };
  }
  if ("consent" in remedy) return encodeConsent(remedy);
  if ("unprotect" in remedy) {
    const { unprotect, ...others } = remedy;
    return { unprotect, ...(others satisfies NoOthers) };
  }
  if ("remake" in remedy) {
    const { remake, ...others } = remedy;
    return { remake, ...(others satisfies NoOthers) };
  }
  if ("inspect" in remedy) {
    const { inspect, ...others } = remedy;
    return { inspect, ...(others satisfies NoOthers) };
  }
  if ("recreate" in remedy) {
    const { recreate, ...others } = remedy;
    return { recreate, ...(others satisfies NoOthers) };
  }
  if ("begin" in remedy) {
    const { begin, ...others } = remedy;
    return { begin, ...(others satisfies NoOthers) };
  }
  if ("keepOne" in remedy) {
    const { keepOne, ...others } = remedy;
    return { keep_one: keepOne, ...(others satisfies NoOthers) };
  }
  if ("liveName" in remedy) {
    const { liveName, id, ...others } = remedy;
    return { live_name: liveName, id, ...(others satisfies NoOthers) };
  }
  const { setting, value, oneOf, ...others } = remedy;
  return {
    setting,
    ...(value !== undefined && { value }),
    ...(oneOf && { one_of: [...oneOf] }),
    ...(others satisfies NoOthers),
  };
}

function encodeConsent(remedy: Extract<Remedy, { consent: string }>): RemedyForm {
  if (remedy.consent === "replace") {
    const { consent, address, also, stated, ...others } = remedy;
    return {
      consent,
      address,
      ...(also !== undefined && { also }),
      ...(stated !== undefined && { stated }),
      ...(others satisfies NoOthers),
    };
  }
  if (remedy.consent === "unprotect") {
    const { consent, address, stated, ...others } = remedy;
    return { consent, address, stated, ...(others satisfies NoOthers) };
  }
  if (remedy.consent === "infrastructure") {
    const { consent, name, also, ...others } = remedy;
    return { consent, name, ...(also !== undefined && { also }), ...(others satisfies NoOthers) };
  }
  const { consent, document, ...others } = remedy;
  return { consent, ...(document && { document }), ...(others satisfies NoOthers) };
}

/** The problem that a JSON form stands for. */
export function decodeProblem(problem: ProblemForm): Problem {
  const {
    code,
    message,
    advice,
    remedies,
    address,
    blocks,
    file,
    line,
    column,
    line_text: lineText,
  } = problem;
  return {
    code,
    message,
    ...(advice !== undefined && { advice }),
    ...(remedies && { remedies: remedies.map(decodeRemedy) }),
    ...(address !== undefined && { address }),
    ...(blocks !== undefined && { blocks }),
    ...(file !== undefined &&
      line !== undefined &&
      column !== undefined && { position: { file, line, column, text: lineText ?? "" } }),
  };
}

/** The remedy that a JSON form stands for. The digest of a saved plan vouches for the rest: only `encodeRemedy` has made it. */
export function decodeRemedy({
  one_of: oneOf,
  keep_one: keepOne,
  live_name: liveName,
  ...remedy
}: RemedyForm): Remedy {
  return {
    ...remedy,
    ...(oneOf && { oneOf }),
    ...(keepOne && { keepOne }),
    ...(liveName !== undefined && { liveName }),
  } as Remedy;
}
