import type { FieldSchema } from "../../model/schema/field-schema.ts";
import { templateKind } from "../../source/document.ts";

const text = (description: string): FieldSchema => ({ type: "string", minLength: 1, description });

export const parameterTypes = ["string", "integer", "boolean", "array", "object"] as const;

const parameter: FieldSchema = {
  type: "object",
  description: "A value that each use of the template gives.",
  properties: {
    type: { type: "string", enum: [...parameterTypes], description: "The type of its values." },
    description: text("What it is for."),
    default: { description: "The value of a use that gives none." },
    enum: { type: "array", minItems: 1, items: {}, description: "The values that it can have." },
    minimum: { type: "integer", description: "The lowest number that it can be." },
    maximum: { type: "integer", description: "The highest number that it can be." },
  },
  required: ["type"],
  additionalProperties: false,
};

export const templateSchema: FieldSchema = {
  type: "object",
  description:
    "Documents with parameters, for several similar resources. A document with from: NAME uses it, with: the values of its parameters; each use makes the documents once.",
  properties: {
    kind: { type: "string", enum: [templateKind], description: "Says that this is a template." },
    name: text("The name by which documents use it."),
    description: text("What it is for."),
    parameters: {
      type: "object",
      description:
        "The values that each use gives, by their names: `${NAME}` in the documents stands for one.",
      additionalProperties: parameter,
    },
    documents: {
      type: "array",
      minItems: 1,
      items: { type: "object", description: "A document, with parameters in its values." },
      description: "The documents that each use makes.",
    },
    git: text("The address of another repository that has the template, in place of documents."),
    commit: { type: "string", description: "The whole id of the commit of that repository." },
    path: text("The file in that repository; it has a template of the same name."),
  },
  required: ["kind", "name"],
  additionalProperties: false,
};

export const useSchema: FieldSchema = {
  type: "object",
  description: "Uses a template.",
  properties: {
    from: text("The name of the template."),
    with: { type: "object", description: "The values of its parameters." },
  },
  required: ["from"],
  additionalProperties: false,
};
