import { choice, list, object, text, wholeNumber, word } from "../../model/schema/field.ts";
import { templateKind } from "../../source/document.ts";

export const parameterTypes = ["string", "integer", "boolean", "array", "object"] as const;

const parameter = object(
  {
    type: choice(parameterTypes, "The type of its values."),
    description: word("What it is for."),
    default: { description: "The value of a use that gives none." },
    enum: list({}, "The values that it can have.", { minItems: 1 }),
    minimum: wholeNumber("The lowest number that it can be."),
    maximum: wholeNumber("The highest number that it can be."),
  },
  "A value that each use of the template gives.",
  { required: ["type"] },
);

export const templateSchema = object(
  {
    kind: choice([templateKind], "Says that this is a template."),
    name: word("The name by which documents use it."),
    description: word("What it is for."),
    parameters: {
      type: "object",
      description:
        "The values that each use gives, by their names: `${NAME}` in the documents stands for one.",
      additionalProperties: parameter,
    },
    documents: list(
      { type: "object", description: "A document, with parameters in its values." },
      "The documents that each use makes.",
      { minItems: 1 },
    ),
    git: word("The address of another repository that has the template, in place of documents."),
    commit: text("The whole id of the commit of that repository."),
    path: word("The file in that repository; it has a template of the same name."),
  },
  "Documents with parameters, for several similar resources. A document with from: NAME uses it, with: the values of its parameters; each use makes the documents once.",
  { required: ["kind", "name"] },
);

export const useSchema = object(
  {
    from: word("The name of the template."),
    with: { type: "object", description: "The values of its parameters." },
  },
  "Uses a template.",
  { required: ["from"] },
);
