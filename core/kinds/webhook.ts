import { type Fields, textIn } from "../json.ts";
import { choice, flag, needed, object, oftenChanged, set, text, word } from "../schema/field.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";
import { secretFieldWithoutVersion } from "./secret-field.ts";

const event = choice(
  ["DEPLOYMENT_STARTED", "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE", "DEPLOYMENT_SUCCESSFUL"],
  "An event.",
);

const mode = choice(["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"], "A mode of environments.");

export const webhook = defineKind({
  name: "Webhook",
  description:
    "A URL to which the API reports deployments. The API has no names for webhooks, so the description serves as the name.",
  ...organizationKind("webhook"),
  fields: object({
    type: needed(choice(["STANDARD", "SLACK"], "Form of the messages.")),
    target_url: needed(text("URL that gets the messages.", { format: "uri" })),
    target_secret: secretFieldWithoutVersion(
      "The secret with which messages are signed.",
      "target_secret_set",
    ),
    enabled: oftenChanged(flag("Whether messages are sent.", { default: true, alwaysSent: true })),
    events: needed(set([], event, "The events that are reported.", { alwaysSent: true })),
    project_names_filter: set([], word(), "Names of projects; none: all projects."),
    environment_types_filter: set([], mode, "Modes of environments; none: all modes."),
  }),
  names: { of: (response) => nonEmpty(textIn(response, "description")) ?? textIn(response, "target_url") },
  form: {
    inRequestForm: ({ kind, ...response }) => ({ ...response, ...(kind !== undefined && { type: kind }) }),
    finishBody: ({ name = "", type, ...body }: Fields) => ({
      ...body,
      description: name,
      ...(type !== undefined && { kind: type }),
    }),
  },
});

function nonEmpty(name: string | undefined): string | undefined {
  return name === "" ? undefined : name;
}
