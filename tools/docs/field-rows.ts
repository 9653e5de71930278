import type { FieldSchema } from "../../core/kinds/index.ts";

/** A field as a row of a table. */
export interface FieldRow {
  /** As in `ports[].internal_port`. */
  path: string;
  schema: FieldSchema;
  /** It has to be there. */
  isRequired: boolean;
  /** It has to be there when the resource is made from nothing. */
  isNeeded: boolean;
}

/** A row for each field, those inside it after it. What looks like an earlier field inside is not told again. */
export function fieldRows(
  schema: FieldSchema,
  prefix = "",
  seen: Map<string, string> = new Map(),
): FieldRow[] {
  const { properties = {}, needs = [], required = [] } = schema;
  return Object.entries(properties).flatMap(([member, inside]) => {
    const path = prefix + member;
    const isRequired = required.includes(member);
    const row: FieldRow = {
      path,
      schema: inside,
      isRequired,
      isNeeded: isRequired || needs.includes(member),
    };
    const held = inside.items?.properties ? inside.items : inside;
    if (!held.properties || held.opaque) return [row];
    const content = JSON.stringify(held.properties);
    const earlier = seen.get(content);
    if (earlier !== undefined) {
      const description = `${inside.description ?? ""} Members as of \`${earlier}\`.`;
      return [{ ...row, schema: { ...inside, description } }];
    }
    seen.set(content, path);
    return [row, ...fieldRows(held, `${path}${held === inside ? "" : "[]"}.`, seen)];
  });
}
