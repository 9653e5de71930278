import { type Fields, isFields, own } from "../../values/json.ts";
import { readDocuments } from "../../source/document.ts";
import { Lines } from "../../source/lines.ts";
import { Variables } from "../../source/variables.ts";
import { editText } from "./edit/index.ts";

/** The text of a YAML file with another value at a path; comments, order and style stay. */
export function withValueAt(text: string, path: readonly string[], value: string): string {
  const [document] = readDocuments(new Lines(text, ""));
  const before = document?.value;
  if (!isFields(before)) throw new TypeError("a file with variables is a mapping");
  return editText(
    text,
    [{ index: 0, schema: {}, before, after: withField(before, path, value) }],
    new Variables(),
  );
}

export function withField(fields: Fields, [member = "", ...inner]: readonly string[], value: string): Fields {
  const at = own(fields, member);
  return {
    ...fields,
    [member]: inner.length === 0 ? value : withField(isFields(at) ? at : {}, inner, value),
  };
}
