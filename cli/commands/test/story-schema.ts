import type { FieldSchema } from "../../../core/schema/field-schema.ts";

const text = (description: string): FieldSchema => ({ type: "string", minLength: 1, description });
const texts = (description: string): FieldSchema => ({
  type: "array",
  items: { type: "string" },
  description,
});
const documents = (description: string): FieldSchema => ({
  type: "array",
  items: { type: "object" },
  description,
});

/** The schema of a story. */
export const storySchema: FieldSchema = {
  type: "object",
  properties: {
    story: text("Its name."),
    sources: texts("Files, folders, or an environment of the settings file."),
    documents: documents("Documents, in place of sources."),
    live: documents("Documents of what is live before."),
    seed: { description: "The organization that the emulator starts from: its members, or a file." },
    vars: { type: "object", description: "Values of variables." },
    flags: texts("Further flags of the plan."),
    expect: {
      type: "object",
      properties: {
        plan: texts("All changes, such as update job:shop/staging/report: cpu."),
        refused: texts("Texts of the refusals."),
        notes: texts("Texts of notes."),
      },
      additionalProperties: false,
      description: "What the plan is to be.",
    },
  },
  required: ["story", "expect"],
  additionalProperties: false,
};
