import type { Setting } from "./setting.ts";
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
              description: `${help[0]?.toUpperCase()}${help.slice(1)}.`,
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
      environments: {
        description: "What describes each environment: `infrasync plan NAME` reads it.",
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
