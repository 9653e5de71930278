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
    },
    additionalProperties: false,
  };
}
