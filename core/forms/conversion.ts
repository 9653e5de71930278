import Type, { type Static } from "typebox";
import type { Conversion, TerraformState } from "../import/terraform/index.ts";
import type { Fields } from "../json.ts";
import { manifestMembers } from "../manifest/index.ts";
import { addressText, count, fieldsForm, form, heading, list, optional, text } from "./forms.ts";

const stateText = text('Address in the state of Terraform: `qovery_job.nightly["a"]`.');

/** The JSON output of `convert`. */
export const conversionForm = form(
  {
    ...heading("infrasync-conversion"),
    documents: optional(list(fieldsForm("A document."), "The manifests, one a document.")),
    files: optional(list(Type.String(), "The files that were written, in place of `documents`.")),
    resources: list(
      form({ state: stateText, address: addressText, id: text("Id of the live resource.") }),
      "The resources that have documents.",
    ),
    secrets: list(
      form({
        variable: text("The environment variable that the document names."),
        address: addressText,
        field: text("Path of the field."),
        state: stateText,
        attribute: optional(text("The attribute that has the value, in plain text; absent: none has it.")),
      }),
      "The secrets whose values you have to store elsewhere. No value is here.",
    ),
    held_secrets: list(
      form({ state: stateText, attribute: text("The attribute.") }),
      "Other secrets that the state has in plain text, and that no manifest needs.",
    ),
    left_out: list(
      form({
        state: stateText,
        attribute: optional(text("The attribute; absent: the whole resource.")),
        why: text("Why no manifest describes it."),
        advice: text("What to do."),
        gone: Type.Boolean({ description: "Whether the resource no longer exists." }),
      }),
      "What the state manages and no manifest describes.",
    ),
    unmanaged: list(
      addressText,
      "Live resources beside the converted ones that the state does not manage, and that have no manifest.",
    ),
    other_types: list(
      form({ type: text("The type: `aws_s3_bucket`."), count: count("How many there are.") }),
      "The resources of other providers that the state manages.",
    ),
  },
  "Manifests of the resources of a Terraform state, and everything that they leave out.",
);

/** The members of the document of a conversion. */
export function encodeConversion(
  { documents, converted, secrets, held, leftOut, unmanaged }: Conversion,
  { foreign }: TerraformState,
  files: string[] | undefined,
): Omit<Static<typeof conversionForm>, "ok" | "format" | "version"> {
  return {
    ...(files ? { files } : { documents: documents.map((document) => manifestMembers(document) as Fields) }),
    resources: converted,
    secrets: secrets.map(({ attribute, ...secret }) => ({
      ...secret,
      ...(attribute !== undefined && { attribute }),
    })),
    held_secrets: held,
    left_out: leftOut.map(({ isGone, ...left }) => ({ ...left, gone: isGone })),
    unmanaged,
    other_types: [...foreign].map(([type, number]) => ({ type, count: number })),
  };
}
