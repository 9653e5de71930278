import { isMap, isScalar, type ParsedNode } from "yaml";
import type { ProblemCode } from "../problems/codes.ts";
import type { Problem } from "../problems/problem.ts";
import { Lines } from "./lines.ts";
import { withoutValue } from "./file-problems.ts";
import type { Mistake } from "./mistake.ts";
import { withoutWords, wordsIn } from "./secret-places.ts";
import { standInFor } from "./stand-ins.ts";
import { readYaml } from "./stream.ts";
import { isEmpty } from "./value.ts";
import { nameForm, variableName } from "./variables.ts";

export interface VariableFile {
  values: Map<string, string>;
  problems: Problem[];
}

/** Reads variables from a YAML mapping. An unquoted value keeps its spelling: `1.10` is not `1.1`. */
export function parseVariableFile(text: string, file: string): VariableFile {
  const lines = new Lines(text, file);
  const values = new Map<string, string>();
  const problems: Problem[] = [];
  // Any variable may be secret: no value is quoted, not even in words of the parser.
  const report = (mistake: Mistake, offset: number, code: ProblemCode = "variable") => {
    const place = lines.position(offset);
    const shown = withoutValue(place.text);
    const hide = (sentence: string) => withoutWords(wordsIn(place.text.slice(shown.length - 1)), sentence);
    problems.push({
      code,
      ...mistake,
      message: code === "syntax" ? hide(mistake.message) : mistake.message,
      advice: code === "syntax" ? hide(mistake.advice) : mistake.advice,
      position: { ...place, text: shown },
    });
  };
  const [document, second] = readYaml(text);
  for (const { offset, code, ...mistake } of document?.mistakes ?? []) report(mistake, offset, code);
  if (second)
    report({ message: "a file of variables holds one document", advice: "remove the ---" }, second.start);
  if (problems.length > 0 || !document?.root) return { values, problems };
  if (!isMap(document.root)) {
    report({ message: "a file of variables is a mapping", advice: form }, document.root.range[0]);
    return { values, problems };
  }
  for (const { key, value } of document.root.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const read = textOf(value);
    const mistake = mistakeOf(name, read, values);
    if (mistake) report(mistake, key.range[0]);
    else values.set(name, read ?? "");
  }
  return { values, problems };
}

const form = "write lines such as TAG: 1.5.0";

/** A scalar with its spelling; undefined for a list, a mapping, an alias or nothing. */
function textOf(value: ParsedNode | null): string | undefined {
  if (value === null || isEmpty(value) || !isScalar(value)) return undefined;
  return value.type === "PLAIN" ? value.source : String(value.value ?? "");
}

function mistakeOf(
  name: string,
  value: string | undefined,
  values: ReadonlyMap<string, string>,
): Mistake | undefined {
  if (!variableName.test(name)) return { message: "this is not the name of a variable", advice: nameForm };
  const standIn = value === undefined ? undefined : standInFor(value, "settings");
  if (standIn) return { ...standIn, message: `the value of the variable ${name} ${standIn.message}` };
  if (values.has(name))
    return { message: `the variable ${name} is set twice in this file`, advice: "keep one of them" };
  return value === undefined
    ? {
        message: `the value of the variable ${name} must be a text, a number, true or false`,
        advice: `${form}; "" is an empty text`,
      }
    : undefined;
}
