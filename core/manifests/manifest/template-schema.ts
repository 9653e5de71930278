import { choice, list, object, text, wholeNumber, word } from "../../model/schema/field.ts";
import { templateKind } from "../../source/document.ts";

export const parameterTypes = ["string", "integer", "boolean", "array", "object"] as const;

const parameter = object(
  "A parameter of the template.",
  {
    type: choice(parameterTypes, "The type of the values."),
    description: word("Purpose."),
    default: { description: "The default value." },
    enum: list({}, "The allowed values.", { minItems: 1 }),
    minimum: wholeNumber("The lowest allowed number."),
    maximum: wholeNumber("The highest allowed number."),
  },
  { required: ["type"] },
);

export const templateSchema = object(
  "Documents with parameters, for several similar resources. A document with from: NAME uses it, and the values of its parameters under with; each use adds the documents once.",
  {
    kind: choice([templateKind], "Marks the document as a template."),
    name: word("The name of the template."),
    description: word("Purpose."),
    parameters: {
      type: "object",
      description: "The parameters by their names: the documents use a parameter as `${NAME}`.",
      additionalProperties: parameter,
    },
    documents: list(
      { type: "object", description: "A document with parameters." },
      "The documents of the template.",
      { minItems: 1 },
    ),
    git: word("URL of another repository with the template, in place of documents."),
    commit: text("Full id of the commit of that repository."),
    path: word("File in that repository; it contains a template of the same name."),
  },
  { required: ["kind", "name"] },
);

export const useSchema = object(
  "Uses a template.",
  {
    from: word("The name of the template."),
    with: { type: "object", description: "The values of its parameters." },
  },
  { required: ["from"] },
);
