import Type, { type Static } from "typebox";
import { codesOf, problemCodes } from "../../problems/codes.ts";
import { addressText, choice, count, form, optional, text } from "./forms.ts";

export const problemForm = form("A mistake in the input, or a reason why a plan is refused.", {
  code: choice(codesOf(problemCodes), "The sort of mistake or refusal."),
  message: text("The mistake."),
  advice: optional(text("The advice.")),
  address: optional(addressText),
  blocks: optional(
    Type.Literal("apply", { description: "The plan is complete; only its apply is refused." }),
  ),
  file: optional(text("The manifest.")),
  line: optional(count("Line, from 1.")),
  column: optional(count("Column in characters, from 1.")),
});

export type ProblemForm = Static<typeof problemForm>;
