import type { ParsedNode } from "yaml";
import { isFields, type Json, own } from "../json.ts";
import { checkFor } from "../schema/check.ts";
import { explain } from "../schema/explain.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { nodeAt, templateKind } from "../source/document.ts";
import type { Lines } from "../source/lines.ts";
import type { DocumentMistake } from "../source/mistake.ts";
import type { SourceDocument } from "../source/source-document.ts";
import { referencesIn, type Variables } from "../source/variables.ts";
import { checks } from "./checks/index.js";
import { yamlNotation } from "./notation.ts";
import type { Template, TemplateUse } from "./parsed.ts";

const text = (description: string): FieldSchema => ({ type: "string", minLength: 1, description });

/** The types that a parameter can have, by their words in YAML. */
export const parameterTypes = ["string", "integer", "boolean", "array", "object"] as const;

const parameter: FieldSchema = {
  type: "object",
  description: "A value that each use of the template gives.",
  properties: {
    type: { type: "string", enum: [...parameterTypes], description: "The type of its values." },
    description: text("What it is for."),
    default: { description: "The value of a use that gives none." },
    enum: {
      type: "array",
      minItems: 1,
      items: {},
      description: "The values that it can have.",
    },
    minimum: { type: "integer", description: "The lowest number that it can be." },
    maximum: { type: "integer", description: "The highest number that it can be." },
  },
  required: ["type"],
  additionalProperties: false,
};

/** The schema of a template. */
export const templateSchema: FieldSchema = {
  type: "object",
  description:
    "Documents with parameters, for several similar resources. A document with from: NAME uses it, with: the values of its parameters, and for_each: a list of such values makes the documents once for each.",
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
    commit: {
      type: "string",
      description: "The whole id of the commit of that repository.",
    },
    path: text("The file in that repository; it has a template of the same name."),
  },
  required: ["kind", "name"],
  additionalProperties: false,
};

const values: FieldSchema = { type: "object", description: "Values of parameters." };

/** The schema of a document that uses a template. */
export const useSchema: FieldSchema = {
  type: "object",
  description: "Uses a template.",
  properties: {
    from: text("The name of the template."),
    with: { ...values, description: "Values of parameters, for all that it makes." },
    for_each: {
      type: "array",
      items: values,
      description: "Makes the documents once for each of these values of parameters.",
    },
  },
  required: ["from"],
  additionalProperties: false,
};

/** What a source document says about templates; undefined: it is about something else. */
export interface TemplateReading {
  template?: Template;
  use?: TemplateUse;
  mistakes: DocumentMistake[];
}

/** Whether a document uses a template. */
export function isUse(value: Json | undefined): boolean {
  return isFields(value) && own(value, "kind") === undefined && own(value, "from") !== undefined;
}

/** Reads a template; a wrong one has its name, so that its uses are not wrong too. @param root its node */
export function readTemplate(
  source: SourceDocument,
  root: ParsedNode,
  lines: Lines,
  variables: Variables,
): TemplateReading {
  const { value, offsetOf } = source;
  const mistakes = mistakesIn(value ?? null);
  const stated = isFields(value) ? value : {};
  const { name, git, commit, path, documents } = stated;
  // Until it is used, nobody knows which of these are parameters.
  for (const used of referencesIn(lines.text.slice(root.range[0], root.range[2]))) variables.get(used);
  return {
    mistakes,
    ...(typeof name === "string" && {
      template: {
        name,
        isWrong: mistakes.length > 0,
        lines,
        documents: Array.isArray(documents)
          ? documents.flatMap((_, index) => nodeAt(root, ["documents", index]) ?? [])
          : [],
        parameters: nodeAt(root, ["parameters"]),
        variables,
        ...(git !== undefined && {
          remote: { git: String(git), commit: String(commit), path: String(path) },
        }),
        position: (at) => lines.position(offsetOf(at, "value")),
      },
    }),
  };
}

function mistakesIn(value: Json): DocumentMistake[] {
  const mistakes = mistakesOf("Template", templateSchema, "a Template", value);
  if (!isFields(value) || mistakes.length > 0) return mistakes;
  const place = ["git", "commit", "path"] as const;
  const missing = place.filter((member) => own(value, member) === undefined);
  const isRemote = missing.length < place.length;
  if (isRemote === Object.hasOwn(value, "documents")) return [bothOrNeither(isRemote)];
  if (isRemote && missing.length > 0) return [incomplete(missing)];
  return isRemote && !wholeId.test(String(value["commit"])) ? [notWhole] : [];
}

const wholeId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Reads a document that uses a template. */
export function readUse({ value, offsetAgain }: SourceDocument, lines: Lines): TemplateReading {
  const mistakes = mistakesOf("TemplateUse", useSchema, "a use of a template", value ?? null);
  if (!isFields(value) || mistakes.length > 0) return { mistakes };
  const { with: common, for_each: each } = value;
  return {
    mistakes,
    use: {
      template: String(value["from"]),
      common: isFields(common) ? common : {},
      each: Array.isArray(each) ? each.filter(isFields) : undefined,
      position: (path, at = "value") => lines.position(offsetAgain(path, at)),
    },
  };
}

function mistakesOf(
  name: "Template" | "TemplateUse",
  schema: FieldSchema,
  subject: string,
  value: Json,
): DocumentMistake[] {
  const terms = { subject, member: "member", notation: yamlNotation, formats: {} };
  const check = checkFor({ made: checks[name], schema: () => schema, formats: {} });
  return check(value).map((error) => explain(error, value, terms));
}

function bothOrNeither(isRemote: boolean): DocumentMistake {
  return isRemote
    ? {
        path: ["documents"],
        at: "key",
        message: "the template has documents, and says that another repository has it",
        advice: "remove the documents, or git, commit and path",
      }
    : {
        path: [],
        at: "value",
        message: "the template has no documents",
        advice: "add documents: a list of them; or git, commit and path, where another repository has it",
      };
}

function incomplete(missing: readonly string[]): DocumentMistake {
  return {
    path: [],
    at: "value",
    message: `the template says that another repository has it, without ${missing.join(" and ")}`,
    advice: "write git: its address, commit: the id of a commit, and path: the file in it",
  };
}

const notWhole: DocumentMistake = {
  path: ["commit"],
  at: "value",
  message: "commit is not the whole id of a commit",
  advice:
    "write all its 40 digits, as git rev-parse prints them: branches, tags and short ids may come to mean another one",
};
