import { isFields, type Json } from "../../values/json.ts";
import { kinds } from "../../model/kinds/index.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";

/** The hidden values in a document, which no message may quote, also in wrong places of a document with mistakes. */
export function plainSecretsIn(document: Json): string[] {
  const found: string[] = [];
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const element of value) visit(element);
    else if (isFields(value)) {
      for (const { member, when } of hiddenMembers())
        if (value[when] != null && value[when] !== false && value[member] != null)
          found.push(String(value[member]));
      for (const member of Object.keys(value)) visit(value[member] ?? null);
    }
  };
  visit(document);
  return found.filter((value) => value !== "");
}

let known: { member: string; when: string }[] | undefined;

/** The members of all kinds whose values the API hides, each with the member that causes it. */
function hiddenMembers(): { member: string; when: string }[] {
  known ??= kinds.flatMap(({ fields }) => hiddenIn(fields));
  return known;
}

function hiddenIn(schema: FieldSchema): { member: string; when: string }[] {
  const { items, entries, properties = {} } = schema;
  return [
    ...Object.entries(properties).flatMap(([member, { hiddenWhen }]) =>
      hiddenWhen === undefined ? [] : [{ member, when: hiddenWhen }],
    ),
    ...[items, entries, ...Object.values(properties)].flatMap((inner) => (inner ? hiddenIn(inner) : [])),
  ];
}
