import type { FieldSchema } from "../../core/kinds/index.ts";
import { documentation, singular, typeName } from "../../provider/plugin/schema-types.ts";

/** The interfaces of a module, in the order of their addition. */
export class Interfaces {
  readonly #texts = new Map<string, string>();

  /** Adds an interface for inputs: every value may be an output of another resource. */
  addInput(name: string, schema: FieldSchema): void {
    this.#add(name, schema, (property, inner, isNeeded) => {
      const type = inputType(this, `${name.replace(/Args$/, "")}${typeName(property, inner)}`, inner);
      return member(documentation(inner), `${property}${isNeeded ? "" : "?"}`, `pulumi.Input<${type}>`);
    });
  }

  addOutput(name: string, schema: FieldSchema): void {
    this.#add(name, schema, (property, inner, isNeeded) => {
      const type = outputType(this, `${name}${typeName(property, inner)}`, inner);
      const isAlways = isNeeded || schema.needs?.includes(property);
      return member(documentation(inner), `${property}${isAlways ? "" : "?"}`, type);
    });
  }

  #add(
    name: string,
    schema: FieldSchema,
    print: (property: string, inner: FieldSchema, isNeeded: boolean) => string,
  ): void {
    // Reserves the place, so that the interface stands before the interfaces of its members.
    this.#texts.set(name, "");
    const members = Object.entries(schema.properties ?? {}).map(([property, inner]) =>
      print(property, inner, schema.required?.includes(property) ?? false),
    );
    this.#texts.set(
      name,
      `${comment(schema.description, "")}export interface ${name} {\n${members.join("")}}\n`,
    );
  }

  text(): string {
    return [...this.#texts.values()].join("\n");
  }
}

function inputType(interfaces: Interfaces, name: string, schema: FieldSchema): string {
  const { items, properties, entries, opaque } = schema;
  if (entries) {
    const entry = inputType(interfaces, singular(name), oneOf(schema, entries));
    return `Record<string, pulumi.Input<${entries.short === undefined ? entry : `string | ${entry}`}>>`;
  }
  if (items) return `pulumi.Input<${inputType(interfaces, name, oneOf(schema, items))}>[]`;
  if (schema.reference !== undefined) return "string | Reference";
  if (!properties || opaque) return plainType(schema);
  interfaces.addInput(`${name}Args`, schema);
  return `${name}Args`;
}

/** The type of an output. */
export function outputType(interfaces: Interfaces, name: string, schema: FieldSchema): string {
  const { items, properties, entries, opaque } = schema;
  if (entries) return `Record<string, ${outputType(interfaces, singular(name), oneOf(schema, entries))}>`;
  if (schema.reference !== undefined) return "Reference";
  if (items) return listOf(outputType(interfaces, singular(name), oneOf(schema, items)));
  if (!properties || opaque) return plainType(schema);
  interfaces.addOutput(name, schema);
  return name;
}

/** A list of a type; a choice of several is in parentheses. */
function listOf(type: string): string {
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

/** The schema of an element, with a description: its own, or that of its list or map. */
function oneOf(whole: FieldSchema, element: FieldSchema): FieldSchema {
  const place = whole.items ? "An element of this list" : "An entry of this map";
  return { ...element, description: element.description ?? `${place}: ${whole.description ?? ""}` };
}

function plainType(schema: FieldSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === undefined && schema.opaque) return "unknown";
  switch (schema.type) {
    case "integer":
      return "number";
    case "object":
      return "Record<string, unknown>";
    case undefined:
    case "array":
      throw new Error(`no TypeScript type for the schema ${JSON.stringify(schema)}`);
    default:
      return schema.type;
  }
}

/** A member of an interface or a class. */
export function member(description: string | undefined, declaration: string, type: string): string {
  return `${comment(description, "  ")}  ${declaration}: ${type};\n`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
}
