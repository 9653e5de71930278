import {
  type Fields,
  isFields,
  type Json,
  mapFields,
  own,
  textIn,
  valueAt,
  withValueAt,
} from "../../values/json.ts";
import { type Kind } from "../../model/kinds/index.ts";
import { addressOf } from "../../manifests/manifest/index.ts";
import { entriesIn, shareList, type DeclaredPart, declaredParts } from "../../model/parts/index.ts";
import type { KnownCredentials } from "../../redaction/known-credentials.ts";
import { openCredentials } from "../../rules/credentials.ts";
import { schemaAt } from "../../model/schema/field-schema.ts";
import { type DumpedDocument, sourceOfSecret } from "./document.ts";

/** The source of a value in a document, in place of a text that all readers of the file would see. */
export interface SuppliedValue extends WithheldMember {
  /** The member with the text: `variables`. */
  from: string;
  key: string;
  /** The member with the source: `secrets`. */
  member: string;
  source: Fields;
}

/** A member of a document that is left out, as it has a credential in it and no source can stand in its place. */
export interface WithheldMember {
  document: DumpedDocument;
  path: readonly string[];
  /** Why: `a URL with a password`. */
  what: string;
}

/** Documents without credentials: a secret takes the place of a variable; anything else, and a referenced variable, is left out. */
export function withSecretsInPlace(
  documents: readonly DumpedDocument[],
  known?: KnownCredentials,
): { documents: DumpedDocument[]; supplied: SuppliedValue[]; withheld: WithheldMember[] } {
  const needed = new Set(documents.flatMap(namedByEntries));
  const supplied: SuppliedValue[] = [];
  const withheld: WithheldMember[] = [];
  const changed = documents.map((document) => {
    const { kind, names } = addressOf(document);
    const fields = { ...document.fields };
    const next = { ...document, fields };
    const done = new Set<string>();
    for (const { path, what } of openCredentials(kind, document.fields, known)) {
      const element = elementAt(kind, fields, path);
      if (element) {
        const source = sourceOfSecret(kind, names, element.key);
        const [root = ""] = path;
        const hidden = { ...element.others, [element.hidden]: true, ...source };
        fields[root] = withValueAt(own(fields, root) ?? null, path.slice(1, -1), hidden);
        done.add(element.key);
        const from = path.slice(0, -2).join(".");
        supplied.push({ document: next, path, from, key: element.key, member: from, source, what });
        continue;
      }
      const [from = "", key = ""] = path;
      const secrets = secretsBeside(kind, from);
      const asSecret = secretForm(own(entriesIn(document.fields, from), key));
      if (path.length !== 2 || !secrets || !asSecret || needed.has(key) || done.has(key)) continue;
      done.add(key);
      const source = sourceOfSecret(kind, names, key);
      fields[secrets.member] = { ...entriesIn(fields, secrets.member), [key]: { ...source, ...asSecret } };
      fields[from] = { ...entriesIn(fields, from), [key]: null };
      supplied.push({ document: next, path, from, key, member: secrets.member, source, what });
    }
    const open = new Map<string, WithheldMember>();
    for (const { path: whole, what } of openCredentials(kind, fields, known)) {
      const path = membersAlong(fields, whole);
      open.set(path.join("."), { document: next, path, what });
    }
    withheld.push(...open.values());
    for (const { path } of open.values()) next.fields = withValueAt(next.fields, path, undefined) as Fields;
    return done.size + open.size === 0 ? document : next;
  });
  return { documents: changed, supplied, withheld };
}

/** The part of a path down to a list, which is left out whole: it would differ with an element less. */
function membersAlong(value: Json | undefined, [member, ...inside]: readonly string[]): string[] {
  return member === undefined || !isFields(value)
    ? []
    : [member, ...membersAlong(own(value, member), inside)];
}

/** The element of a list with a value at a path that could be hidden: its key, its member, and the remaining path. */
function elementAt(
  kind: Kind,
  fields: Fields,
  path: readonly string[],
): { key: string; hidden: string; others: Fields } | undefined {
  const names = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : part));
  const { hiddenWhen: hidden } = schemaAt(kind.fields, names) ?? {};
  const element = valueAt(fields, path.slice(0, -1));
  const key = isFields(element) ? textIn(element, "key") : undefined;
  if (hidden === undefined || key === undefined || !isFields(element)) return undefined;
  const { [path.at(-1) ?? ""]: value, ...others } = element;
  return value === undefined ? undefined : { key, hidden, others };
}

/** The sort of secrets that shares its keys with readable entries. */
export function secretsBeside(kind: Kind, member: string): DeclaredPart | undefined {
  const parts = declaredParts(kind);
  const open = parts.find((part) => part.member === member && !part.form.isWriteOnly);
  return open && parts.find((part) => part.form.isWriteOnly && shareList(part, open));
}

/** The secret for an entry with a value; undefined for an entry with a source. */
function secretForm(entry: Json | undefined): Fields | undefined {
  if (typeof entry === "string") return {};
  if (!isFields(entry) || entry["interpolate"] === true) return undefined;
  const { value, file, description } = entry;
  const mountPath = isFields(file) ? textIn(file, "mount_path") : undefined;
  if (typeof value !== "string" && mountPath === undefined) return undefined;
  return mapFields(
    { description: description ?? null, mount_path: mountPath ?? null },
    (its) => its ?? undefined,
  );
}

function namedByEntries({ kind, fields }: DumpedDocument): string[] {
  return declaredParts(kind).flatMap(({ member }) =>
    Object.entries(entriesIn(fields, member)).flatMap(([key, entry]) => {
      if (!isFields(entry)) return [];
      return [...(entry["overrides"] === true ? [key] : []), textIn(entry, "alias_of") ?? []].flat();
    }),
  );
}
