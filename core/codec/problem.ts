import Type, { type Static } from "typebox";
import { type Position, type Problem, problemCodes } from "../problem.ts";
import type { Remedy } from "../remedy.ts";
import { addressText, choice, count, form, list, type NoOthers, optional, text } from "./forms.ts";

/** What would help, as data. Saved plans have it; other output has `advice`, which a front end has phrased. */
export const remediesForm = list(
  form({
    setting: optional(text("A setting that would help.")),
    value: optional(text("Its value.")),
    one_of: optional(list(Type.String(), "The values that it can have.")),
    consent: optional(text("A consent that would help: `replace`, `prune` or `infrastructure`.")),
    address: optional(addressText),
    stated: optional(text("With the consent `replace`: the value of `manage.consent` that agrees.")),
    document: optional(
      Type.Literal(true, {
        description: "With the consent `prune`: the document of the parent has to state `manage.prune`.",
      }),
    ),
    name: optional(text("With the consent `infrastructure`: the name to agree to.")),
    unprotect: optional(text("Address of the document from which to take `manage.protect`.")),
    inspect: optional(Type.Literal(true, { description: "Look at the resource in the web console." })),
    recreate: optional(
      text(
        "When to create the resource again from its manifest: `now`, or `when_gone`: when it has been deleted.",
      ),
    ),
    keep_one: optional(Type.Literal(true, { description: "Delete all resources of that name but one." })),
    live_name: optional(text("The name that the server has given to the resource.")),
    id: optional(text("With `live_name`: the id of the resource.")),
    again: optional(text("What to repeat: the `plan`, the `run`, or the run at a `later` time.")),
  }),
  "What would help, as data; only in saved plans.",
);

/** A problem, as all JSON documents have it. */
export const problemForm = form(
  {
    code: choice(problemCodes, "The sort of mistake or refusal."),
    message: text("What is wrong."),
    advice: optional(text("What would be right.")),
    remedies: optional(remediesForm),
    address: optional(addressText),
    blocks: optional(
      Type.Literal("apply", { description: "The plan is complete; only its apply is refused." }),
    ),
    file: optional(text("The manifest.")),
    line: optional(count("Line, from 1.")),
    column: optional(count("Column in characters, from 1.")),
    line_text: optional(text("The text of the line; only in saved plans.")),
  },
  "A mistake in the input, or a reason why a plan is refused.",
);

type RemedyForm = Static<typeof remediesForm>[number];
export type ProblemForm = Static<typeof problemForm>;

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
  if ("inspect" in remedy) {
    const { inspect, ...others } = remedy;
    return { inspect, ...(others satisfies NoOthers) };
  }
  if ("recreate" in remedy) {
    const { recreate, ...others } = remedy;
    return { recreate, ...(others satisfies NoOthers) };
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
    const { consent, address, stated, ...others } = remedy;
    return { consent, address, ...(stated !== undefined && { stated }), ...(others satisfies NoOthers) };
  }
  if (remedy.consent === "infrastructure") {
    const { consent, name, ...others } = remedy;
    return { consent, name, ...(others satisfies NoOthers) };
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
