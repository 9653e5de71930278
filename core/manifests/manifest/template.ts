import { inSentence } from "../../values/text.ts";
import type { ParsedNode } from "yaml";
import { isFields, type Json, own } from "../../values/json.ts";
import { checkFor } from "../../model/schema/check.ts";
import { explain } from "../../model/schema/explain.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";
import { nodeAt } from "../../source/document.ts";
import type { Lines } from "../../source/lines.ts";
import type { DocumentMistake } from "../../source/mistake.ts";
import type { SourceDocument } from "../../source/source-document.ts";
import { referencesIn, type Variables } from "../../source/variables.ts";
import { checks } from "./checks/index.js";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";
import type { Template, TemplateUse } from "./parsed-manifest.ts";
import { templateSchema, useSchema } from "./template-schema.ts";

/** The template, or the use of one, in a source document; undefined for other documents. */
export interface ParsedTemplate {
  template?: Template;
  use?: TemplateUse;
  mistakes: DocumentMistake[];
}

export function isUse(value: Json | undefined): boolean {
  return isFields(value) && own(value, "kind") === undefined && own(value, "from") !== undefined;
}

/** Reads a template; a wrong one has its name, so that its uses are not wrong too. @param root its node */
export function readTemplate(
  source: SourceDocument,
  root: ParsedNode,
  lines: Lines,
  variables: Variables,
): ParsedTemplate {
  const { value, offsetOf } = source;
  const mistakes = mistakesIn(value ?? null);
  const declared = isFields(value) ? value : {};
  const { name, git, commit, path, documents } = declared;
  // The parameters among these are unknown until it is used.
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

export function readUse({ value, offsetAgain }: SourceDocument, lines: Lines): ParsedTemplate {
  const mistakes = mistakesOf("TemplateUse", useSchema, "a use of a template", value ?? null);
  if (!isFields(value) || mistakes.length > 0) return { mistakes };
  const { with: values } = value;
  return {
    mistakes,
    use: {
      template: String(value["from"]),
      values: isFields(values) ? values : {},
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
  const words = { subject, member: "member", notation: yamlNotation, formats: {} };
  const check = checkFor({ made: checks[name], schema: () => schema, formats: {} });
  return check(value).map((error) => explain(error, value, words));
}

function bothOrNeither(isRemote: boolean): DocumentMistake {
  return isRemote
    ? {
        path: ["documents"],
        at: "key",
        message: "the template has documents, and names another repository too",
        advice: "remove the documents, or git, commit and path",
      }
    : {
        path: [],
        at: "value",
        message: "the template has no documents",
        advice: "add documents: a list of them; or git, commit and path of a template in another repository",
      };
}

function incomplete(missing: readonly string[]): DocumentMistake {
  return {
    path: [],
    at: "value",
    message: `the template is in another repository, and lacks ${inSentence(missing)}`,
    advice: "write git: the URL of the repository, commit: the id of a commit, and path: the file",
  };
}

const notWhole: DocumentMistake = {
  path: ["commit"],
  at: "value",
  message: "commit is not the full id of a commit",
  advice:
    "write all its 40 digits, as git rev-parse prints them: branches, tags and short ids may later mean another commit",
};
