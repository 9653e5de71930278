import { Ajv, type ValidateFunction } from "ajv";
import Type, { type Static } from "typebox";
import { savedPlanFormat, savedPlanVersion } from "../../plan-format.ts";
import { fieldsForm, form, list, optional } from "../forms.ts";
import { planForm } from "../plan-form.ts";

const string = Type.String();
const strings = Type.Array(string);

const inputs = form({
  documents: list(fieldsForm("A manifest, without values of secrets."), "As `infrasync render` prints them."),
  targets: strings,
  elsewhere: optional(strings),
  prune: Type.Boolean(),
  allow_replace: strings,
  infrastructure: optional(strings),
  rotate: strings,
  strict: Type.Boolean(),
  deploy: Type.Boolean(),
  // When it was planned, by the clock of the server: documents count from then.
  planned_at: string,
  // The keys of the addresses that the plan changes, under their names in the plan and on the server.
  scope: strings,
  // The working directory of the plan, as seen from the folder of the plan file: paths start there.
  folder: optional(string),
  sources: optional(strings),
  settings_file: optional(string),
  max_deletes: optional(string),
});

/** A saved plan in its file. Only infrasync reads it. */
const savedPlanForm = form({
  format: Type.Literal(savedPlanFormat),
  version: Type.Literal(savedPlanVersion),
  base_url: string,
  inputs,
  plan: planForm,
  // What the plan does, and the live state of all that it changes or deletes, by address.
  actions_digest: string,
  states: Type.Record(string, string),
  // What `plan` has printed; absent in a plan that a program has saved.
  shown: optional(form({ text: string, markdown: string })),
  applied_at: optional(string),
  digest: string,
});

export type SavedInputsForm = Static<typeof inputs>;
export type SavedPlanForm = Static<typeof savedPlanForm>;

let validator: ValidateFunction<SavedPlanForm> | undefined;

/** Whether a value is a saved plan of this version, with all its members and no other. */
export function isSavedPlanForm(value: unknown): value is SavedPlanForm {
  validator ??= new Ajv({ strict: true, strictRequired: false }).compile<SavedPlanForm>(savedPlanForm);
  return validator(value);
}
