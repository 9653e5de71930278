import { compare } from "../../core/fields/compare.ts";
import type { FieldSchema } from "../../core/kinds/index.ts";
import type { PropertyChange } from "./details.ts";
import type { InputDifference } from "./diff.ts";
import { cleanInputs, type Properties } from "./inputs.ts";
import { hasUnknown } from "../../core/unknown.ts";

/** Compares the inputs of a resource that exists only in programs, by their schema. */
export function inputDifference(
  schema: FieldSchema,
  olds: Properties,
  news: Properties,
): Pick<InputDifference, "changes" | "replaces" | "fields"> {
  const after = cleanInputs(schema, news);
  const fields = compare(schema, cleanInputs(schema, olds), after);
  const replaces = fields.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [member],
  );
  return { changes: fields.length > 0 || hasUnknown(after), replaces, fields };
}

/** The changes of such inputs, as changes of properties. */
export function inputChanges({ fields }: Pick<InputDifference, "fields">): PropertyChange[] {
  return fields.map(({ path: [path = ""], before, after, replaces }) => ({
    path,
    how: before === undefined ? "add" : after === undefined ? "delete" : "update",
    isOfInputs: true,
    ...(replaces !== undefined && { replaces }),
  }));
}
