import { forEditors } from "../../core/model/schema/for-editors.ts";
import { sectionsSchema, settingsFormats } from "../../core/manifests/settings/schema.ts";
import { type Setting, settings } from "./table.ts";
import { capitalized } from "../../core/values/text.ts";

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
      ...Object.fromEntries(
        Object.entries(sectionsSchema.properties ?? {}).map(([name, section]) => [
          name,
          forEditors(section, settingsFormats),
        ]),
      ),
    },
    additionalProperties: false,
  };
}
