import { Ajv, type ValidateFunction } from "ajv";
import Type, { type Static } from "typebox";
import { savedPlanFormat, savedPlanVersion } from "../../../model/plan-format.ts";
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
  // The time of planning, by the clock of the server: documents count from then.
  planned_at: string,
  // The keys of the changed addresses, with their planned and their live names.
  scope: strings,
  // The working directory of the plan, relative to the folder of the plan file: paths start there.
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
  // As `plan --output json` prints it, for people.
  plan: planForm,
  // The effects of the plan, and the live state of all changed or deleted resources, by address.
  actions_digest: string,
  states: Type.Record(string, string),
  // The headings of the environments of the changes, by address; absent: there is one environment.
  sections: optional(Type.Record(string, string)),
  // Unmanaged state, for a plan without changes, which counts it.
  unmanaged: optional(Type.Array(form({ sort: string, address: string, path: strings }))),
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
