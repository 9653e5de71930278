import Type, { type Static } from "typebox";
import { codesOf, problemCodes } from "../codes.ts";
import { addressText, choice, count, form, list, optional, text } from "./forms.ts";

/** The remedy, as data. Saved plans have it; other output has `advice`, which a front end has phrased. */
export const remediesForm = list(
  form({
    setting: optional(text("A setting that would help.")),
    value: optional(text("Its value.")),
    file: optional(text("The file that states the setting, where nothing else can set another value.")),
    one_of: optional(list(Type.String(), "The values that it can have.")),
    consent: optional(
      text("A consent that would help: `replace`, `unprotect`, `prune`, `infrastructure` or `policy`."),
    ),
    address: optional(addressText),
    also: optional(text("The present address or name on the server, which the consent has to name too.")),
    stated: optional(
      text("With the consent `replace` or `unprotect`: the value of `manage.consent` that agrees."),
    ),
    document: optional(
      Type.Literal(true, {
        description: "With the consent `prune`: the document of the parent has to state `manage.prune`.",
      }),
    ),
    name: optional(
      text(
        "With the consent `infrastructure`: the name to agree to. With `policy`: the policy that wants an approval.",
      ),
    ),
    digest: optional(text("With the consent `policy`: the digest of the plan to approve.")),
    unprotect: optional(text("Address of the document from which to take `manage.protect`.")),
    inspect: optional(Type.Literal(true, { description: "Look at the resource in the web console." })),
    remake: optional(text("The id of a resource to delete, and to create again.")),
    recreate: optional(
      text(
        "When to create the resource again from its manifest: `now`, or `when_gone`: when it has been deleted.",
      ),
    ),
    keep_one: optional(Type.Literal(true, { description: "Delete all resources of that name but one." })),
    live_name: optional(text("The name that the server has given to the resource.")),
    id: optional(text("With `live_name`: the id of the resource.")),
    begin: optional(Type.Literal(true, { description: "Write the first manifests, of the live resources." })),
    again: optional(text("What to repeat: the `plan`, the `run`, or the run at a `later` time.")),
  }),
  "What would help, as data; only in saved plans.",
);

/** A problem, as all JSON documents have it. */
export const problemForm = form(
  {
    code: choice(codesOf(problemCodes), "The sort of mistake or refusal."),
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

export type RemedyForm = Static<typeof remediesForm>[number];
export type ProblemForm = Static<typeof problemForm>;
