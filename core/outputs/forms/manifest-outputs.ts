import {
  addressText,
  anyValue,
  choice,
  count,
  fieldsForm,
  form,
  heading,
  list,
  listOf,
  optional,
  text,
  flag,
  texts,
} from "./forms.ts";
import { noteForm } from "./plan-form.ts";
import { problemForm } from "./problem-form.ts";

// The JSON documents of commands that read and write manifests.

export const documents = optional(list(fieldsForm("A document."), "The manifests, one a document."));

/** The JSON output of `validate` for valid manifests. */
export const validationForm = form("The manifests are valid.", {
  ...heading("infrasync-validation"),
  documents: count("Number of documents."),
  files: count("Number of files."),
  problems: list(problemForm, "Always empty: a mistake makes an error document."),
  notes: optional(list(noteForm, "Statements that have no effect.")),
});

const leftOut = optional(
  listOf("Unmanaged resources, and live values in the manifests that should change.", {
    address: text("Address."),
    type: text("Type; for a part, with the name of the part before it."),
    why: text("Why no manifest has it, or why its manifest should change."),
  }),
);

/** The JSON output of `render`, `dump`, `schema` and `init`. */
export const documentsForm = form("Manifests, or the files that contain them.", {
  ...heading("infrasync-documents"),
  documents,
  files: optional(texts("The files that were written, in place of `documents`.")),
  kept: optional(texts("Existing files, which stay unchanged.")),
  left_out: leftOut,
});

/** The JSON output of `dump --update`. */
export const updateForm = form("Manifests that take over live values.", {
  ...heading("infrasync-update"),
  written: flag("Whether the files are written; a dry run writes nothing."),
  files: listOf("The files that change.", {
    file: text("Name."),
    new: flag("Whether the file is a new one."),
    difference: text("The changes, as lines that begin with `+`, `-` or a space. Secrets are left out."),
  }),
  accepted: listOf("The fields that take their live values.", {
    address: addressText,
    field: text("Path of the field."),
  }),
  kept: listOf("The differences that stay.", {
    address: optional(addressText),
    field: optional(text("Path of the field; absent: the whole resource.")),
    message: text("Why it stays unchanged."),
    advice: optional(text("The advice.")),
  }),
  missing: list(addressText, "Managed resources that do not exist."),
  left_out: leftOut,
});

/** The JSON output of `explain`. */
export const explanationForm = form("The documentation of a field or a kind.", {
  ...heading("infrasync-explanation"),
  kind: text("Kind of the resource: `Job`."),
  path: text("Path of the field; empty for the kind itself."),
  type: text("Type of the value."),
  values: optional(list(anyValue("A value."), "All values that it can have.")),
  description: text("Description."),
  default: optional(anyValue("The value that the API gives to an omitted field.")),
  needed: flag("Whether every new resource needs it."),
  replaces: optional(text("Why a change needs a replacement.")),
  null: choice(["default", "removes", "mistake"], "Effect of the value null."),
  remarks: texts("Further remarks."),
  fields: listOf("The fields inside.", {
    name: text("Path of the field."),
    type: text("Type of the value."),
    description: text("Description."),
    needed: flag("Whether every new resource needs it."),
  }),
});
