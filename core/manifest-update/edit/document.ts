import type { ParsedNode } from "yaml";
import type { Fields } from "../../json.ts";
import type { FieldSchema } from "../../schema/field-schema.ts";
import { valueOf } from "../../source/value.ts";
import type { Variables } from "../../source/variables.ts";
import { editSlot } from "./edit.ts";
import { Editing } from "./editing.ts";
import type { Splice } from "./text.ts";

/** A document of a YAML text, and the value that it is to have. */
export interface DocumentEdit {
  /** The whole text. */
  text: string;
  root: ParsedNode;
  schema: FieldSchema;
  before: Fields;
  after: Fields;
  /** The values of `${NAME}`. */
  variables: Variables;
}

/**
 * The changes of a text that give a document another value: what is equal in both, comments, order and style stay as they
 * are.
 *
 * @throws SharedValueError where a change would change other values too
 */
export function editDocument({ text, root, schema, before, after, variables }: DocumentEdit): Splice[] {
  const { targets } = valueOf(root, variables);
  const editing = new Editing(text, targets);
  const column = editing.columnOf(root.range[0]);
  editSlot(editing, { node: root, after: root.range[0], column, isFlow: false }, before, after, schema);
  return editing.finished();
}
