import { credentialIn } from "../credential-forms.ts";
import { type Fields, isFields, type Json } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { entriesIn, statedParts } from "../parts/index.ts";
import { type FieldSchema, memberOf } from "../schema/field-schema.ts";
import { hiddenMember } from "../secrets/index.ts";

/** The texts that look like credentials, and why they should not be there. */
export function credentialText(found: readonly OpenCredential[]): string {
  const texts = found.map(({ path, what }) => `${path.join(".")} (${what})`);
  return `${texts.join(", ")}: everyone who sees the environment can read the value; state it under secrets`;
}

/** A text of a resource that looks like a credential. Never its value. */
export interface OpenCredential {
  path: string[];
  /** The sort of credential. */
  what: string;
}

/** All texts of a resource that look like credentials: values of variables, arguments, URLs, descriptions and the like. */
export function openCredentials(kind: Kind, stated: Fields): OpenCredential[] {
  const variables = statedParts(kind).flatMap(({ member, form }) =>
    Object.entries(entriesIn(stated, member)).flatMap(([key, entry]): OpenCredential[] => {
      const what = isFields(entry) ? form.credentialIn?.(key, entry) : undefined;
      return what === undefined ? [] : [{ path: [member, key], what }];
    }),
  );
  const known = new Set(variables.map(({ path }) => path.join("\0")));
  const isSource = new Set(
    statedParts(kind).flatMap(({ member, form }) => (form.isWriteOnly ? [member] : [])),
  );
  const open = Object.fromEntries(Object.entries(stated).filter(([member]) => !isSource.has(member)));
  const others = textsIn(kind.fields, open, []).flatMap(({ path, text }): OpenCredential[] => {
    const what = credentialIn(text);
    return what === undefined || known.has(path.slice(0, 2).join("\0")) ? [] : [{ path, what }];
  });
  return [...variables, ...others];
}

/** The texts of fields, but for the sources of secrets and what the API hides. */
function textsIn(schema: FieldSchema, value: Json, path: string[]): { path: string[]; text: string }[] {
  if (schema.secret) return [];
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value))
    return value.flatMap((each, index) => textsIn(schema.items ?? {}, each, [...path, String(index)]));
  if (!isFields(value)) return [];
  const hidden = hiddenMember(schema, value);
  return Object.entries(value).flatMap(([member, inner]) =>
    member === hidden ? [] : textsIn(memberOf(schema, member) ?? {}, inner, [...path, member]),
  );
}
