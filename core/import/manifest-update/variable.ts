import { type Fields, isFields, withValueAt } from "../../values/json.ts";
import { readDocuments } from "../../source/document.ts";
import { Lines } from "../../source/lines.ts";
import { Variables } from "../../source/variables.ts";
import { editText } from "./edit/index.ts";

/** The text of a YAML file with another value at a path; comments, order and style stay. */
export function withVariable(text: string, path: readonly string[], value: string): string {
  const [document] = readDocuments(new Lines(text, ""));
  const before = document?.value;
  if (!isFields(before)) throw new TypeError("a file with variables is a mapping");
  return editText(
    text,
    [{ index: 0, schema: {}, before, after: withValueAt(before, path, value) as Fields }],
    new Variables(),
  );
}
