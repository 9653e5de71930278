import { type CollectionTag, Document, type ScalarTag, visit } from "yaml";
import { listedEntries } from "../fields/listed.ts";
import { shortForm } from "../fields/short.ts";
import { type Fields, isFields, type Json } from "../json.ts";
import { type FieldSchema, listForm, memberOf } from "../schema/field-schema.ts";
import { escapeVariables } from "../source/variables.ts";
import type { Manifest } from "./document.ts";

/** The content of a manifest text. */
export type ManifestContent = Pick<Manifest, "kind" | "name" | "parent" | "fields"> &
  Partial<Pick<Manifest, "manage" | "clone">>;

/**
 * A manifest as YAML text, without the `---` between documents: members in the order of the schema, texts of several
 * lines as blocks. Parsing the text gives the same manifest.
 */
export function formatManifest(content: ManifestContent): string {
  return toYaml(manifestMembers(content));
}

/** The members of a manifest, in the order of the schema. */
export function manifestMembers({ kind, parent, name, manage, clone, fields }: ManifestContent): object {
  return {
    kind: kind.name,
    ...(kind.parentMember !== undefined && parent !== undefined && { [kind.parentMember]: parent }),
    name,
    ...(manage && Object.keys(manage).length > 0 && { manage }),
    ...(clone && { clone }),
    ...inSchemaOrder(kind.fields, fields),
  };
}

function toYaml(value: object): string {
  const document = new Document(value, {
    schema: "core",
    // Quotes texts that YAML 1.1 would read differently: yes, 1_000, 12:30.
    compat: "yaml-1.1",
    aliasDuplicateObjects: false,
    customTags: (tags) => tags.map((tag) => (typeof tag === "object" && isText(tag) ? escaping(tag) : tag)),
  });
  visit(document, {
    Scalar(key, scalar) {
      const { value: text } = scalar;
      if (typeof text !== "string") return;
      if (key !== "key") scalar.value = escapeVariables(text);
      if (invisible.test(text)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: "literal" });
}

function isText(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.tag === "tag:yaml.org,2002:str";
}

/** Escapes a text before its length is measured: the length of keys is limited. */
function escaping(tag: ScalarTag): ScalarTag {
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (...args) => stringify?.(...args).replaceAll(new RegExp(invisible, "gu"), escaped) ?? "",
  };
}

/** Characters that a terminal would obey or hide. They are written in double quotes, where they can be escaped. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

function inSchemaOrder(schema: FieldSchema, fields: Fields): Fields {
  const known = Object.keys(schema.properties ?? {}).filter((member) => Object.hasOwn(fields, member));
  const others = Object.keys(fields).filter((member) => !known.includes(member));
  return Object.fromEntries(
    [...known, ...others].map((member) => [
      member,
      ordered(memberOf(schema, member), fields[member] ?? null),
    ]),
  );
}

function ordered(schema: FieldSchema | undefined, value: Json): Json {
  if (!schema || schema.opaque) return value;
  if (schema.keyedBy) return ordered(listForm(schema), listedEntries(schema, value));
  if (isFields(value)) return shortForm(schema, inSchemaOrder(schema, value));
  return Array.isArray(value) ? value.map((element) => ordered(schema.items, element)) : value;
}
