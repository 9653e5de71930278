import { kinds } from "../../core/kinds/index.ts";
import { policyActions, policyEffects } from "../../core/policies/policy.ts";
import { readyPolicies } from "../../core/policies/ready.ts";
import type { Setting } from "./setting.ts";
import { serverMembers } from "../../core/server-habits.ts";
import { capitalized } from "../../core/text.ts";
import { settings } from "./table.ts";

/** The JSON Schema of `infrasync.config.yaml`, for editors. */
export function settingsFileSchema(): object {
  const entries = Object.entries(settings) as [string, Setting<unknown>][];
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "infrasync: settings",
    type: "object",
    properties: {
      ...Object.fromEntries(
        entries
          .filter(([, { inFile }]) => inFile !== "never")
          .map(([name, { argument, help, read }]) => [
            name,
            {
              description: `${capitalized(help)}.`,
              ...(argument === undefined
                ? { type: "boolean" }
                : read.words
                  ? { enum: [...read.words] }
                  : { type: ["string", "integer"] }),
            },
          ]),
      ),
      protect: {
        description: "Patterns of resources that no run deletes or replaces.",
        type: "array",
        items: { type: "string" },
        examples: [["environment:*/production"]],
      },
      min_version: {
        description: "The oldest version of infrasync that may use these settings and manifests.",
        type: "string",
        examples: ["0.1.0"],
      },
      policies: policiesSchema(),
      server: {
        description: "Differences of the server that infrasync probe has found.",
        type: "object",
        properties: serverMembers,
        additionalProperties: false,
      },
      environments: {
        description: "The sources of each environment: `infrasync plan NAME` reads them.",
        type: "object",
        additionalProperties: {
          type: "object",
          properties: {
            sources: {
              description:
                "Files and folders below the folder of this file; later ones overlay earlier ones.",
              type: "array",
              items: { type: "string" },
              minItems: 1,
            },
            vars: {
              description: "Values of variables of the manifests.",
              type: "object",
              additionalProperties: { type: ["string", "number", "boolean"] },
            },
            var_files: {
              description: "Files with values of variables; later ones win, and vars win over all of them.",
              type: "array",
              items: { type: "string" },
            },
            protect: {
              description:
                "Patterns of resources that no run deletes or replaces, whichever environment it plans.",
              type: "array",
              items: { type: "string" },
            },
          },
          required: ["sources"],
          additionalProperties: false,
        },
        examples: [{ staging: { sources: ["base", "overlays/staging"], vars: { REPLICAS: 1 } } }],
      },
    },
    additionalProperties: false,
  };
}

function policiesSchema(): object {
  const texts = { type: "array", items: { type: "string" }, minItems: 1 };
  const properties = {
    message: { description: "What is wrong, as the team says it.", type: "string" },
    effect: {
      description: "Whether the change is forbidden, mentioned, or needs an approval; default: `deny`.",
      enum: [...policyEffects],
    },
    kinds: {
      description: "The kinds that it checks; default: all.",
      ...listOf(kinds.map(({ name }) => name)),
    },
    actions: {
      description: "The actions that it checks; default: all but `delete` and `deploy`.",
      ...listOf(policyActions),
    },
    fields: { description: "The fields whose changes it checks; default: all.", ...texts },
    environments: {
      description:
        "Patterns of the environments that it checks; default: all, and resources outside environments.",
      ...texts,
      examples: [["*/production"]],
    },
  };
  const own = {
    name: { description: "Its name, in messages.", type: "string" },
    when: { description: "A condition in CEL: the change is wrong if it is true.", type: "string" },
  };
  const ready = {
    ready: { description: "The name of a policy of infrasync.", enum: Object.keys(readyPolicies) },
    with: { description: "Values in place of its defaults.", type: "object" },
  };
  return {
    description: "What planned changes may not do.",
    type: "array",
    items: {
      anyOf: [
        objectOf({ ...own, ...properties }, ["name", "message"]),
        objectOf({ ...ready, ...properties }, ["ready"]),
      ],
    },
    examples: [[{ ready: "no-public-database" }]],
  };
}

function listOf(words: readonly string[]): object {
  return { type: "array", items: { enum: [...words] }, minItems: 1 };
}

function objectOf(properties: object, required: readonly string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}
