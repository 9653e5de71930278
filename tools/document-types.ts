/**
 * Writes core/manifest/document-types.ts, the types of documents in a program, from the JSON Schemas of manifests; with --check, fails
 * instead when the file is stale.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kinds } from "../core/kinds/index.ts";
import { manifestSchema } from "../core/manifest/index.ts";

/** What the schemas of manifests consist of, as far as a type can say it. */
interface Schema {
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

const file = join(import.meta.dirname, "../core/manifest/document-types.ts");

function moduleText(): string {
  const names = kinds.map(({ name }) => `${name}Document`);
  const interfaces = kinds.map((kind) => {
    const schema = manifestSchema(kind) as Schema;
    return `/** ${schema.description ?? ""} */\nexport interface ${kind.name}Document ${objectType(schema, "")}\n`;
  });
  return [
    "// Made from the schemas of manifests by `npm run generate`: not to be changed by hand.\n",
    ...interfaces,
    `/** A document of any kind, as a manifest has it. */\nexport type ResourceDocument =\n${names.map((name) => `  | ${name}`).join("\n")};\n`,
  ].join("\n");
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  // What an overlay removes is no document of a program.
  const stated = Object.entries(properties).filter(([name]) => name !== "$remove");
  const members = stated.map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const comment =
      indent === "" && schema.description ? `${indent}  /** ${inComment(schema.description)} */\n` : "";
    return `${comment}${indent}  ${key}${required.includes(name) ? "" : "?"}: ${typeOf(schema, `${indent}  `)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return "Json";
  return types.map((type) => typeOfOne(schema, type, indent)).join(" | ");
}

function typeOfOne(schema: Schema, type: string, indent: string): string {
  const { properties, items, additionalProperties } = schema;
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return items ? `readonly ${grouped(typeOf(items, indent))}[]` : "readonly Json[]";
    case "object":
      if (properties) return objectType(schema, indent);
      return typeof additionalProperties === "object"
        ? `{ readonly [key: string]: ${typeOf(additionalProperties, indent)} }`
        : "{ readonly [key: string]: Json }";
    default:
      return type;
  }
}

function grouped(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

function inComment(text: string): string {
  return text.replaceAll("*/", "*\\/");
}

const text = moduleText().replace("by hand.\n", 'by hand.\nimport type { Json } from "../json.ts";\n');
if (process.argv.includes("--check")) {
  if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error(`${file} is stale`);
    process.exitCode = 1;
  }
} else await writeFile(file, text);
