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
  // As `plan --output json` prints it. What people read is made of it.
  plan: planForm,
  // What the plan does, and the live state of all that it changes or deletes, by address.
  actions_digest: string,
  states: Type.Record(string, string),
  // The headings of the environments under which people read the changes, by address; absent: there is one environment.
  sections: optional(Type.Record(string, string)),
  // What no document states, of a plan without changes, which says how much there is.
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
