// The classes of the Pulumi provider, with the types of their inputs and outputs, from the schemas of the kinds.
import { type FieldSchema, kinds } from "../core/model/kinds/index.ts";
import { inputSchema } from "../provider/lifecycle/inputs.ts";
import { secretInputs } from "../provider/lifecycle/secrets.ts";
import { programResources } from "../provider/lifecycle/program-resources.ts";
import { article } from "../core/values/text.ts";
import { documentation, outputMembers, singular, typeName } from "./pulumi/schema/types.ts";

/** The interfaces of a module, in the order of their addition. */
class Interfaces {
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

function outputType(interfaces: Interfaces, name: string, schema: FieldSchema): string {
  const { items, properties, entries, opaque } = schema;
  if (entries) return `Record<string, ${outputType(interfaces, singular(name), oneOf(schema, entries))}>`;
  if (schema.reference !== undefined) return "Reference";
  if (items) return listOf(outputType(interfaces, singular(name), oneOf(schema, items)));
  if (!properties || opaque) return plainType(schema);
  interfaces.addOutput(name, schema);
  return name;
}

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

function member(description: string | undefined, declaration: string, type: string): string {
  return `${comment(description, "  ")}  ${declaration}: ${type};\n`;
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
}

/** The files of provider/generated/: name -> text. */
export function providerFiles(): Map<string, string> {
  return new Map([
    ["index.ts", header + classes.map(({ slug }) => `export * from "./${slug}.ts";\n`).join("")],
    ...classes.map((each): [string, string] => [`${each.slug}.ts`, header + moduleOf(each)]),
  ]);
}

interface ResourceClass {
  name: string;
  /** Its file. */
  slug: string;
  description: string;
  inputs: FieldSchema;
  outputs: ReturnType<typeof outputMembers>;
}

const classes: ResourceClass[] = [
  ...kinds.map((kind) => ({
    name: kind.name,
    slug: kind.slug,
    description: kind.description,
    inputs: inputSchema(kind),
    outputs: outputMembers(kind),
  })),
  // A Deployment takes resources beside ids, so its class is written manually.
  ...programResources
    .filter(({ name }) => name !== "Deployment")
    .map(({ name, description, inputs }) => ({
      name,
      slug: name.toLowerCase(),
      description,
      inputs,
      outputs: Object.entries(inputs.properties ?? {}).map(([property, schema]) => ({
        property,
        schema,
        isAlways: inputs.required?.includes(property) ?? false,
      })),
    })),
];

const header = "// Made from the schema of the kind by `npm run build`: not to be changed manually.\n";

function moduleOf({ name, description, inputs, outputs }: ResourceClass): string {
  const interfaces = new Interfaces();
  interfaces.addInput(`${name}Args`, { ...inputs, description: `Inputs of ${article(name)} ${name}.` });
  const fields = outputs.map(({ property, schema, isAlways }) => {
    const type = outputType(interfaces, `${name}${pascalCase(property)}`, schema);
    return member(
      documentation(schema),
      `declare readonly ${property}`,
      `pulumi.Output<${type}${isAlways ? "" : " | undefined"}>`,
    );
  });
  const names = listed(outputs.map(({ property }) => property));
  const references = listed(outputs.flatMap(({ property, schema }) => referencesIn(schema, property)));
  const properties = Object.fromEntries(outputs.map(({ property, schema }) => [property, schema]));
  const secrets = secretInputs({ properties }).map(({ path, when }) => markOf(path.join("."), when));
  const body = `${interfaces.text()}
const outputs = {
  names: ${names},
  references: ${references},${secrets.length === 0 ? "" : `\n  secret: [${secrets.join(", ")}],`}
};

/** ${description} */
export class ${name} extends ApiResource {
${fields.join("")}
  /**
   * ${description}
   *
   * @param name name of the resource in the program; that of the ${name} itself is among the inputs
   * @param args its inputs
   * @param options as of every Pulumi resource
   */
  constructor(name: string, args: ${name}Args, options?: pulumi.CustomResourceOptions) {
    super("${name}", name, args, outputs, options);
  }
}
`;
  const reference = /\bReference\b/.test(body) ? 'import type { Reference } from "../reference.ts";\n' : "";
  return `import type * as pulumi from "@pulumi/pulumi";
${reference}import { ApiResource } from "../dynamic/resource.ts";

${body}`;
}

function referencesIn(schema: FieldSchema, path: string): string[] {
  if (schema.reference !== undefined) return [path];
  const inner = schema.items ?? schema;
  if (inner.reference !== undefined) return [path];
  return Object.entries(inner.properties ?? {}).flatMap(([property, each]) =>
    referencesIn(each, `${path}.${property}`),
  );
}

function markOf(path: string, when: string | undefined): string {
  const condition = when === undefined ? "" : `, when: ${JSON.stringify(when)}`;
  return `{ path: ${JSON.stringify(path)}${condition} }`;
}

function listed(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

function pascalCase(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1);
}
