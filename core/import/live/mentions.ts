import { formatReference, parseReference } from "../../address.ts";
import { ForbiddenError, NotFoundError } from "../../api/index.ts";
import { isFields, type Json, textIn } from "../../json.ts";
import type { LiveReader } from "../../live/index.ts";
import { entriesIn, statedParts } from "../../parts/index.ts";
import type { OpenCredential } from "../../rules/credentials.ts";
import { type FieldSchema, memberOf } from "../../schema/field-schema.ts";
import type { DumpedDocument } from "./document.ts";
import { secretsBeside } from "./supplied.ts";

/** A text of a document with something of a live resource in it, which a copy made elsewhere would not have. */
export interface Mention {
  path: readonly string[];
  /** What of it: `the password`, or `the id or a host`. */
  what: string;
  /** It is a password, which everyone who reads the file reads. */
  isSecret: boolean;
  /** The resource: `database:shop/staging/orders`. */
  of: string;
}

/** A database of a dump, and the password that the API tells of it. */
export interface KnownPassword {
  document: DumpedDocument;
  password: string;
}

/** A shorter password also occurs in unrelated text. */
const shortest = 6;

/**
 * Reads the passwords of the databases of a dump in which a text may have one: a request each. What the token may not read is left
 * out.
 */
export async function readPasswords(
  { client }: Pick<LiveReader, "client">,
  documents: readonly DumpedDocument[],
): Promise<KnownPassword[]> {
  const asked = documents.some(hasOpenText) ? documents.filter(({ kind }) => kind.credentialsAt) : [];
  const found = await Promise.all(
    asked.map(async (document) => {
      const path = document.kind.credentialsAt?.(document.ids?.own ?? "") ?? "";
      try {
        const answer = await client.get(path);
        const password = isFields(answer) ? (textIn(answer, "password") ?? "") : "";
        return password.length < shortest ? [] : [{ document, password }];
      } catch (error) {
        if (error instanceof ForbiddenError || error instanceof NotFoundError) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

/** The entries of a document in whose place secrets could stand, each with its place. */
function openEntries({ kind, fields }: DumpedDocument): { path: [string, string]; texts: string[] }[] {
  return statedParts(kind).flatMap(({ member }) =>
    secretsBeside(kind, member)
      ? Object.entries(entriesIn(fields, member)).map(([key, entry]) => ({
          path: [member, key] as [string, string],
          texts: textsIn(entry),
        }))
      : [],
  );
}

/** Whether a variable, or a field with any text, has one that could have a password in it. */
function hasOpenText(document: DumpedDocument): boolean {
  const isOpen = (text: string) => text.length >= shortest && !/^\d+$/.test(text);
  return (
    hasFreeText(document.kind.fields, document.fields, isOpen) ||
    openEntries(document).some(({ texts }) => texts.some(isOpen))
  );
}

/** Whether such a text stands in a field whose form nothing fixes: a description, an argument, a script. */
function hasFreeText(schema: FieldSchema, value: Json, isOpen: (text: string) => boolean): boolean {
  const { part, reference, sibling, format, minLength, items = {} } = schema;
  if (part || reference !== undefined || sibling !== undefined) return false;
  if (typeof value === "string")
    return format === undefined && minLength === undefined && schema.enum === undefined && isOpen(value);
  if (Array.isArray(value)) return value.some((each) => hasFreeText(items, each, isOpen));
  return (
    isFields(value) &&
    Object.entries(value).some(([member, each]) => hasFreeText(memberOf(schema, member) ?? {}, each, isOpen))
  );
}

/** The variables of a document that have the password of a database. */
export function openPasswords(
  document: DumpedDocument,
  passwords: readonly KnownPassword[],
): OpenCredential[] {
  return openEntries(document).flatMap(({ path, texts }) => {
    const its = passwords.find(({ password }) => texts.some((text) => text.includes(password)));
    return its ? [{ path, what: `the password of ${nameOf(its.document)}` }] : [];
  });
}

/** A whole id, wherever it stands, or the beginning of one as a word, with which hosts begin. */
const idInText = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9a-z])z?([0-9a-f]{8})(?![0-9a-f])/gi;

/**
 * The texts of a document that have an id of a live resource in them, or a host, which begins with one, or a password.
 *
 * @param named the live resources, each by the first eight characters of its id
 */
export function mentionsIn(
  { kind, fields }: DumpedDocument,
  named: ReadonlyMap<string, string>,
  passwords: readonly KnownPassword[],
): Mention[] {
  const found: Mention[] = [];
  const visit = (value: Json, path: readonly string[]): void => {
    if (Array.isArray(value)) value.forEach((inner, index) => visit(inner, [...path, String(index)]));
    else if (isFields(value))
      for (const [member, inner] of Object.entries(value)) visit(inner, [...path, member]);
    else if (typeof value === "string") {
      const its = passwords.find(({ password }) => value.includes(password));
      if (its) found.push({ path, what: "the password", isSecret: true, of: nameOf(its.document) });
      for (const [, ofId, start = ofId] of value.matchAll(idInText)) {
        const of = named.get((start ?? "").toLowerCase());
        if (of !== undefined) found.push({ path, what: "the id or a host", isSecret: false, of });
      }
    }
  };
  const parts = new Map(statedParts(kind).map((part) => [part.member, part]));
  for (const [member, value] of Object.entries(fields))
    // Aliases name variables of the platform, whose keys have ids in them.
    for (const [key, inner] of parts.has(member) && isFields(value)
      ? Object.entries(value)
      : [["", value] as const])
      if (!isFields(inner) || inner["alias_of"] === undefined)
        visit(inner, key === "" ? [member] : [member, key]);
  return found;
}

/** `database:shop/staging/orders`. */
export function nameOf({ kind, parent, name }: Pick<DumpedDocument, "kind" | "parent" | "name">): string {
  return `${kind.slug}:${formatReference([...(parent === undefined ? [] : parseReference(parent)), name])}`;
}

function textsIn(entry: Json): string[] {
  if (typeof entry === "string") return [entry];
  if (!isFields(entry)) return [];
  const { value, file } = entry;
  const text = isFields(file) ? file["text"] : undefined;
  return [value, text].filter((each) => typeof each === "string");
}
