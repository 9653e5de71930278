import { type Fields, isFields, type Json, own } from "../core/json.ts";
import { yamlNotation } from "../core/manifest/index.ts";
import type { Problem } from "../core/problem.ts";
import type { Check } from "../core/schema/check.ts";
import { explain } from "../core/schema/explain.ts";
import { type Formats, plainFormats } from "../core/schema/formats.ts";
import { readDocuments } from "../core/source/document.ts";
import { FileProblems } from "../core/source/file-problems.ts";
import { Lines } from "../core/source/lines.ts";
import { type DocumentMistake, quote } from "../core/source/mistake.ts";
import { readEnvironmentPattern } from "./policy/index.ts";

/** A sort of YAML files that the operator writes. */
export interface OperatorFileForm {
  /** `access file`. */
  name: string;
  /** A member that it can have, for advice. */
  example: string;
  check: Check;
  /** Default: those that mean the same in every schema. */
  formats?: Formats;
  /** Mistakes of documents whose form is right. */
  senseless(value: Fields): DocumentMistake[];
}

/** Reads the text of a file of the operator. Every mistake is a problem with its position. @param file its name in messages */
export function readOperatorFile(
  text: string,
  file: string,
  { name, example, check, senseless }: OperatorFileForm,
): { value?: Fields; problems: Problem[] } {
  const report = new FileProblems(new Lines(text, file));
  const [document, second] = readDocuments(new Lines(text, file));
  for (const mistake of document?.mistakes ?? []) report.add(mistake);
  if (second)
    report.add({
      code: "invalid",
      message: `the ${name} contains more than one document`,
      advice: "remove --- and everything after it",
      offset: second.start,
    });
  const value = document?.value;
  if (!document || value === undefined || report.problems().length > 0)
    return { problems: report.problems() };
  const mistakes = formMistakes(value, { name, example, check, senseless });
  for (const each of mistakes)
    report.add({ ...each, code: "invalid", offset: document.offsetOf(each.path, each.at) });
  return mistakes.length === 0 && isFields(value) ? { value, problems: [] } : { problems: report.problems() };
}

/** The mistakes of a document that the operator writes. */
export function formMistakes(
  value: Json,
  { name, example, check, senseless, formats = plainFormats }: OperatorFileForm,
): DocumentMistake[] {
  if (!isFields(value))
    return [
      {
        path: [],
        at: "value",
        message: `the ${name} must be a mapping`,
        advice: `write members such as ${example}`,
      },
    ];
  const terms = {
    subject: /^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`,
    member: "member",
    notation: yamlNotation,
    formats,
  };
  const mistakes = check(value).map((error) => explain(error, value, terms));
  return mistakes.length > 0 ? mistakes : senseless(value);
}

/** The patterns of environments in a member that choose none. */
export function patternMistakes(path: readonly (string | number)[], fields: Fields): DocumentMistake[] {
  return textsIn(fields, "environments").flatMap((text, index) => {
    const pattern = readEnvironmentPattern(text);
    if ("matches" in pattern) return [];
    return [
      {
        path: [...path, "environments", index],
        at: "value" as const,
        message: `${quote(text)} ${pattern.message}`,
        advice: pattern.advice ?? "",
      },
    ];
  });
}

/** The mappings in a list whose form is checked elsewhere. */
export function mappingsIn(fields: Fields, member: string): Fields[] {
  const value: Json | undefined = own(fields, member);
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The texts in a list whose form is checked elsewhere. */
export function textsIn(fields: Fields, member: string): string[] {
  const value: Json | undefined = own(fields, member);
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
