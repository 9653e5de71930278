import type { FieldSchema } from "../../core/model/kinds/index.ts";

const immutable = "a deployment is not changed, another one is started";

/** The inputs of a deployment. Their check is built from this schema. */
export const deploymentInputs = {
  type: "object",
  additionalProperties: false,
  properties: {
    services: {
      type: "array",
      items: { type: "string", format: "uuid" },
      minItems: 1,
      description: "Ids of the services to deploy. A change deploys them again.",
      immutable,
    },
    triggers: {
      type: "array",
      items: { opaque: true },
      description: "Any values. When one of them changes, the services are deployed again.",
      immutable,
    },
    wait: {
      type: "boolean",
      default: false,
      description:
        "Whether the creation waits, for 30 minutes at most, or as long as `customTimeouts` says, until all services are deployed, and fails if one of them cannot be deployed.",
    },
  },
  required: ["services"],
} satisfies FieldSchema;
