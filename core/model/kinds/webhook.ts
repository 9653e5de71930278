import { type Fields, textIn } from "../../values/json.ts";
import { choice, flag, needed, object, oftenChanged, set, text, word } from "../schema/field.ts";
import { secretField } from "../parts/index.ts";
import { defineKind } from "./kind.ts";
import { description, environmentModes } from "./fields.ts";
import { organizationKind } from "./organization-kind.ts";

const event = choice(
  [
    "DEPLOYMENT_STARTED",
    "DEPLOYMENT_CANCELLED",
    "DEPLOYMENT_FAILURE",
    "DEPLOYMENT_SUCCESSFUL",
    "DEPLOYMENT_FAILED",
    "DEPLOYMENT_SUCCEEDED",
  ],
  "An event. The API has two names for failure and two for success, and sends the requested name.",
);

const mode = choice(environmentModes, "A mode of environments.");

/**
 * ```yaml
 * kind: Webhook
 * name: deploys
 * type: STANDARD
 * target_url: https://hooks.example.com
 * events: [DEPLOYMENT_FAILURE]
 * ```
 */
export const webhook = defineKind({
  name: "Webhook",
  description:
    "A URL to which the API reports deployments. The API has no names for webhooks: the first line of the description serves as the name.",
  ...organizationKind("webhook"),
  fields: object({
    description,
    type: needed(choice(["STANDARD", "SLACK"], "Form of the messages.")),
    target_url: needed(text("URL that gets the messages.", { format: "uri", mayHoldToken: true })),
    target_secret: secretField("The secret with which messages are signed.", "target_secret_set"),
    enabled: oftenChanged(flag("Whether messages are sent.", { default: true, alwaysSent: true })),
    events: needed(set([], event, "The events that are reported.", { alwaysSent: true })),
    project_names_filter: set([], word(), "Names of projects; none: all projects."),
    environment_types_filter: set([], mode, "Modes of environments; none: all modes."),
  }),
  names: {
    of: (response) => {
      const [name] = linesOf(response);
      return name === "" ? textIn(response, "target_url") : name;
    },
  },
  facts: ["target_secret_set"],
  form: {
    inRequestForm: ({ kind, ...response }) => ({
      ...response,
      description: linesOf(response)[1],
      ...(kind !== undefined && { type: kind }),
    }),
    finishBody: ({ name = "", description: more, type, ...body }: Fields) => ({
      ...body,
      description: typeof more === "string" && more !== "" ? `${String(name)}\n${more}` : name,
      ...(type !== undefined && { kind: type }),
    }),
  },
});

function linesOf(response: Fields): [name: string, description: string] {
  const [name = "", ...rest] = (textIn(response, "description") ?? "").split("\n");
  return [name, rest.join("\n")];
}
