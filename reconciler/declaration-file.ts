import { isFields, type Json } from "../core/values/json.ts";
import { yamlNotation } from "../core/manifests/manifest/index.ts";
import type { Position, Problem } from "../core/problems/problem.ts";
import type { Check } from "../core/model/schema/check.ts";
import { explain } from "../core/model/schema/explain.ts";
import type { Formats } from "../core/model/schema/format.ts";
import { readDocuments } from "../core/source/document.ts";
import { FileProblems } from "../core/source/file-problems.ts";
import { Lines } from "../core/source/lines.ts";
import type { DocumentMistake, Path } from "../core/source/mistake.ts";
import { standInsIn } from "../core/source/stand-ins.ts";
import { decodeText, misplacedCharacter, textMistake } from "../core/source/text.ts";
import { article, escapeControl } from "../core/values/text.ts";

/** A sort of YAML files with statements. */
export interface DeclarationForm<Value> {
  /** `access file`. */
  name: string;
  example: string;
  check: Check;
  formats: Formats;
  /** Mistakes of documents whose members have the right types. */
  senseless(value: Value): DocumentMistake[];
}

/** What a file states, if it has no mistake. An empty file states nothing, which is none. */
export interface DeclarationFile<Value> {
  value?: Value;
  positionOf(path: Path): Position;
  problems: Problem[];
}

/** Reads a file of one document. Every mistake is a problem with its position. @param file its name in messages */
export function readDeclared<Value>(
  content: string | Uint8Array,
  file: string,
  form: DeclarationForm<Value>,
): DeclarationFile<Value> {
  const decoded = typeof content === "string" ? { text: content } : decodeText(content);
  const unreadable = "mistake" in decoded ? decoded.mistake : textMistake(decoded.text);
  const text = "text" in decoded ? decoded.text.replace(/^\uFEFF/, "") : "";
  const lines = new Lines(text, file);
  const report = new FileProblems(lines);
  const misplaced = unreadable ? undefined : misplacedCharacter(text);
  if (misplaced) report.add(misplaced);
  const [document, second] = unreadable || misplaced ? [] : readDocuments(lines);
  const positionOf = (path: Path) => lines.position(document?.offsetOf(path, "key") ?? 0);
  for (const mistake of document?.mistakes ?? []) report.add(mistake);
  if (second)
    report.add({
      code: "invalid",
      message: `the ${form.name} contains more than one document`,
      advice: "remove --- and everything after it",
      offset: second.start,
    });
  const value = document?.value;
  const refused = () => ({ positionOf, problems: report.problems() });
  if (unreadable)
    return {
      positionOf,
      problems: [
        { ...unreadable, code: "unreadable", message: `${escapeControl(file)} ${unreadable.message}` },
      ],
    };
  if (!document || value === undefined || report.problems().length > 0) return refused();
  const placed = [...formMistakes(value, form), ...standInsIn(value, "settings")].map((each) => ({
    ...each,
    code: "invalid" as const,
    offset: document.offsetOf(each.path, each.at),
  }));
  for (const each of placed.toSorted((left, right) => left.offset - right.offset)) report.add(each);
  // The check has just found it to be of this form.
  return placed.length > 0 ? refused() : { value: value as Value, positionOf, problems: [] };
}

/** The mistakes of a document. */
export function formMistakes<Value>(
  value: Json,
  { name, example, check, senseless, formats }: DeclarationForm<Value>,
): DocumentMistake[] {
  if (!isFields(value))
    return [mistakeAt([], `the ${name} must be a mapping`, `write members such as ${example}`)];
  const subject = `${article(name)}`;
  const words = { subject, member: "member", notation: yamlNotation, formats };
  const errors = check(value);
  // A value of another type, or without a member, is not what the further rules are about.
  const isForm = errors.every(({ keyword }) => keyword !== "type" && keyword !== "required");
  return [
    ...errors.map((error) => explain(error, value, words)),
    ...(isForm ? senseless(value as Value) : []),
  ];
}

export function mistakeAt(path: Path, message: string, advice: string): DocumentMistake {
  return { path, at: "value", message, advice };
}
