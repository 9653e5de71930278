import Type, { type TSchema } from "typebox";
import {
  addressText,
  anyValue,
  choice,
  count,
  failureForm,
  form,
  heading,
  listOf,
  optional,
  part,
  outputDocument,
  text,
  flag,
  texts,
} from "./forms.ts";
import { documents, documentsForm, explanationForm, updateForm, validationForm } from "./manifest-outputs.ts";
import { planForm } from "./plan-form.ts";
import { problemForm } from "./problem-form.ts";
import { reportForm } from "./report.ts";
import { deployedForm } from "./deployment-status.ts";

// The JSON documents of other commands: no plan, deployment, manifests or live resources.

const problems = listOf("All mistakes, each with its place.", {
  ...problemForm.properties,
  code: text("The sort of mistake or refusal."),
});

const consent = part("The approvals that flags can give.", {
  lifts: choice(["all", "a part"], "Which of the problems flags can lift."),
  command: text("The command line that would pass; for a part of the problems, the flags alone."),
});

/** The JSON output of a command that has only failed. */
export const errorForm = form("A failure, and everything that is wrong.", {
  ...heading("infrasync-error", Type.Literal(false)),
  error: failureForm,
  problems,
  consent,
});

/** The JSON output of `apply`, `destroy` and `clone`. */
export const runForm = form("A plan and its report. Without changes there is no report.", {
  ...heading("infrasync-run", flag("Whether everything that was planned is done.")),
  error: optional(failureForm),
  problems: optional(problems),
  consent,
  plan: optional(planForm),
  report: optional(reportForm),
  deployed: deployedForm,
  documents,
});

/** The JSON output of `doctor`. */
export const diagnosisForm = form("An examination of settings, server, token and quota.", {
  ...heading("infrasync-diagnosis", flag("Whether nothing has failed.")),
  checks: listOf("The checks, in this order.", {
    name: text("The checked item: `server`, `token`."),
    status: choice(["ok", "warning", "failed", "skipped"], "`skipped`: another check has to succeed first."),
    message: text("The result."),
    advice: optional(text("The advice.")),
  }),
});

/** The JSON output of `history`. */
export const historyForm = form("Events of the organization.", {
  ...heading("infrasync-history"),
  entries: listOf("Newest first.", {
    at: text("When it happened, as ISO 8601."),
    who: optional(text("The person or the token.")),
    origin: optional(text("The interface, as the API names it: `CONSOLE`.")),
    program: optional(text("The program that sent the request.")),
    event: text("The event, as the API has it: `UPDATE`."),
    part: optional(text("The part of the resource that changed, such as `VARIABLE`.")),
    type: text("The type of the resource, as the API has it: `JOB`."),
    id: optional(text("Id of the resource.")),
    names: texts("Names from the project down, as they were then."),
  }),
});

/** The JSON output of `diff`. */
export const differenceForm = form("How two environments or services differ.", {
  ...heading("infrasync-difference"),
  first: text("The first environment or service, as it was named."),
  second: text("The second one, as it was named."),
  same: count("Number of resources that are the same."),
  differences: listOf("The resources that differ, or that only one of both has.", {
    kind: text("Kind of the resource: `Job`."),
    first: optional(addressText),
    second: optional(addressText),
    fields: listOf(
      "The fields that differ, without values of secrets; empty where only one of both has the resource.",
      {
        field: text("Path of the field."),
        first: optional(anyValue("Value in the first.")),
        second: optional(anyValue("Value in the second.")),
      },
    ),
  }),
});

/** An event of a run, as a line of `--output jsonl`. */
export const eventForm = form("An event of a run.", {
  format: Type.Literal("infrasync-event"),
  version: Type.Literal(1),
  at: text("When it happened, as ISO 8601."),
  event: choice(
    ["planned", "started", "finished", "state", "waiting"],
    "`planned`: the run has a plan; `started`, `finished`: an action has; `state`: a service that is deployed has another state; `waiting`: the run waits.",
  ),
  plan: optional(planForm),
  id: optional(text("Id of the action in the plan.")),
  address: optional(addressText),
  type: optional(text("Type of the action.")),
  status: optional(choice(["done", "failed", "skipped", "pending"], "Of a finished action: the result.")),
  state: optional(text("Of a service: its state, as the API has it.")),
  message: optional(text("Of a finished action: why it was not done.")),
  milliseconds: optional(count("Of a finished action: how long it took.")),
  finished: optional(count("Number of ended actions, without skipped ones.")),
  total: optional(count("Number of actions of the plan that change something.")),
  reason: optional(
    choice(
      ["quota", "limited", "retry", "answer", "clone"],
      "Of a wait: for the quota, while the server takes no requests (429), for the next try, for an answer, or for a clone that another run has requested.",
    ),
  ),
  until: optional(text("Of a wait: when it ends, as ISO 8601.")),
});

export const outputForms = {
  error: errorForm,
  run: runForm,
  validation: validationForm,
  documents: documentsForm,
  update: updateForm,
  explanation: explanationForm,
  diagnosis: diagnosisForm,
  difference: differenceForm,
  history: historyForm,
  event: eventForm,
} as const satisfies Record<string, TSchema>;

export function outputOf<
  Name extends Exclude<keyof typeof outputForms, "error" | "event">,
  Members extends object,
>(name: Name, members: Members) {
  return outputDocument(name, members);
}

/** The document of a command that has failed. */
export function errorOutput<Members extends object>(members: Members) {
  return { ok: false, format: "infrasync-error", version: 1, ...members };
}
