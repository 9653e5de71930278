import { isFields, type Json, mapFields, textIn } from "../values/json.ts";
import { credentialIn, placeholder, valueWithoutCredentials } from "./credential-forms.ts";
import { isNamedCredential, mayBeNamedCredential } from "./credential-names.ts";
import type { KnownCredentials } from "./known-credentials.ts";

/** A credential in a text, and the text without it. */
export interface CredentialInText {
  what: string;
  shown: string;
}

/** The members whose name stands in a key, a name or a flag beside or before them. */
export const valueMembers: ReadonlySet<string> = new Set(["value", "file", "text", "content"]);

/** The credential that a text has by its form or by what it is called. */
export function credentialInText(
  text: string,
  known: KnownCredentials | undefined,
  name?: string,
): CredentialInText | undefined {
  const of = known?.in(text);
  const what = of === undefined ? credentialIn(text) : `the password of ${of}`;
  const isWhole = name !== undefined && isNamedCredential(name, text);
  if (what === undefined && !isWhole) return undefined;
  return {
    what: what ?? "a credential, by its key",
    shown: isWhole ? placeholder : valueWithoutCredentials(known?.redact(text) ?? text),
  };
}

/** The same of a word of a command, or of the value of a pair: the words before it say what it is. */
export function credentialInWord(
  list: readonly Json[],
  index: number,
  known: KnownCredentials | undefined,
): CredentialInText | undefined {
  const text = String(list[index]);
  const name = list.length === 2 && index === 1 ? String(list[0]) : undefined;
  const alone = credentialInText(text, known, name);
  if (alone || index === 0) return alone;
  const before = `${list
    .slice(Math.max(0, index - 20), index)
    .filter((each) => typeof each === "string")
    .join(" ")} `;
  const [shown, shownBefore] = [before + text, before].map(valueWithoutCredentials);
  return shown === undefined || shownBefore === undefined || shown === shownBefore + text
    ? undefined
    : {
        what: "a credential, by the words before it",
        shown: shown.startsWith(shownBefore) ? shown.slice(shownBefore.length) : placeholder,
      };
}

/** A value that no schema describes, with a placeholder in the place of each credential; the value itself where it has none. */
export function withoutCredentialsIn(value: Json, name?: string): Json {
  if (typeof value === "string" || typeof value === "number")
    return credentialInText(String(value), undefined, name)?.shown ?? value;
  if (Array.isArray(value)) {
    const shown = value.map((inner, index) => {
      const word = typeof inner === "object" ? undefined : credentialInWord(value, index, undefined);
      return word?.shown ?? withoutCredentialsIn(inner, name);
    });
    return shown.every((inner, index) => inner === value[index]) ? value : shown;
  }
  if (!isFields(value)) return value;
  if (name !== undefined && mayBeNamedCredential(name))
    return mapFields(value, (inner) => withoutCredentialsIn(inner, name));
  const called = textIn(value, "key") ?? textIn(value, "name") ?? name;
  return mapFields(value, (inner, member) =>
    withoutCredentialsIn(inner, valueMembers.has(member) ? called : member),
  );
}

/** An advice that repeats a text or a part of it; the other one where a credential is in the text. */
export function repeating(text: string, advice: string, otherwise: string): string {
  return credentialIn(text) === undefined ? advice : otherwise;
}
