// The types of documents in a program, from the schemas of manifests.
import { kinds } from "../core/model/kinds/index.ts";
import { documentSchema } from "../core/manifests/manifest/index.ts";
import { type FieldSchema, listForm } from "../core/model/schema/field-schema.ts";

/** The text of core/manifests/manifest/document-types.ts. */
export function documentTypes(): string {
  const names = kinds.map(({ name }) => `${name}Document`);
  const interfaces = kinds.map((kind) => {
    const schema = documentSchema(kind);
    return `/** ${schema.description ?? ""} */\nexport interface ${kind.name}Document ${objectType(schema, "")}\n`;
  });
  return [
    "// Made from the schemas of manifests by `npm run build`: not to be changed manually.",
    'import type { Json } from "../../values/json.ts";\n',
    ...interfaces,
    `/** A document of any kind, as a manifest has it. */\nexport type ResourceDocument =\n${names.map((name) => `  | ${name}`).join("\n")};\n`,
  ].join("\n");
}

function objectType({ properties = {}, required = [] }: FieldSchema, indent: string): string {
  // A removal in an overlay is not a document of a program.
  const declared = Object.entries(properties).filter(([name]) => name !== "$remove");
  const members = declared.map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const isNeeded = required.includes(name);
    const comment =
      indent === "" && schema.description ? `  /** ${schema.description.replaceAll("*/", "*\\/")} */\n` : "";
    const reset = isNeeded || schema.resettable === false ? "" : " | null";
    return `${comment}${indent}  ${key}${isNeeded ? "" : "?"}: ${typeOf(schema, `${indent}  `)}${reset};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function typeOf(schema: FieldSchema, indent: string): string {
  const whole = wholeType(schema, indent);
  return schema.short === undefined ? whole : `string | ${whole}`;
}

function wholeType(schema: FieldSchema, indent: string): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.opaque) return "Json";
  if (schema.keyedBy) return typeOf(listForm(schema), indent);
  if (schema.entries) return `{ readonly [key: string]: ${typeOf(schema.entries, indent)} | null }`;
  if (schema.properties) return objectType(schema, indent);
  if (schema.items) return `readonly ${grouped(typeOf(schema.items, indent))}[]`;
  switch (schema.type) {
    case "integer":
      return "number";
    case "string":
    case "boolean":
      return schema.type;
    default:
      return "Json";
  }
}

function grouped(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}
