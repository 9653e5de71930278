// The classes of the Pulumi provider, with the types of their inputs and outputs, from the schemas of the kinds.
import { type FieldSchema, type Kind, kinds } from "../core/kinds/index.ts";
import { inputSchema } from "../provider/lifecycle/inputs.ts";
import { shownOutput } from "../provider/lifecycle/shown.ts";
import { article } from "../core/text.ts";
import { documentation, outputMembers } from "../provider/plugin/schema-types.ts";
import { Interfaces, member, outputType } from "./provider-types/interfaces.ts";

/** The files of provider/generated/: name -> text. */
export function providerFiles(): Map<string, string> {
  return new Map([
    ["index.ts", header + kinds.map(({ slug }) => `export * from "./${slug}.ts";\n`).join("")],
    ...kinds.map((kind): [string, string] => [`${kind.slug}.ts`, header + moduleOf(kind)]),
  ]);
}

const header = "// Made from the schema of the kind by `npm run build`: not to be changed by hand.\n";

function moduleOf(kind: Kind): string {
  const { name } = kind;
  const interfaces = new Interfaces();
  const inputs = inputSchema(kind);
  interfaces.addInput(`${name}Args`, { ...inputs, description: `Inputs of ${article(name)} ${name}.` });
  const outputs = outputMembers(kind);
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
  const secret = Object.keys(shownOutput(kind));
  const hidden = outputs.flatMap(({ property, schema }) => hiddenIn(schema, property));
  const body = `${interfaces.text()}
const outputs = {
  names: ${names},
  references: ${references},${hidden.length === 0 ? "" : `\n  hidden: [${hidden.join(", ")}],`}${secret.length === 0 ? "" : `\n  secret: ${listed(secret)},`}
};

/** ${kind.description} */
export class ${name} extends ApiResource {
${fields.join("")}
  /**
   * ${kind.description}
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

/** The places of references in a value of a schema. */
function referencesIn(schema: FieldSchema, path: string): string[] {
  if (schema.reference !== undefined) return [path];
  const inner = schema.items ?? schema;
  if (inner.reference !== undefined) return [path];
  return Object.entries(inner.properties ?? {}).flatMap(([property, each]) =>
    referencesIn(each, `${path}.${property}`),
  );
}

/** The members that the API hides when another is true, each with that other: `{ path: "tfVars.value", when: "secret" }`. */
function hiddenIn(schema: FieldSchema, path: string): string[] {
  if (schema.part) return [];
  return Object.entries((schema.items ?? schema).properties ?? {}).flatMap(([property, inner]) => [
    ...(inner.hiddenWhen === undefined
      ? []
      : [`{ path: ${JSON.stringify(`${path}.${property}`)}, when: ${JSON.stringify(inner.hiddenWhen)} }`]),
    ...hiddenIn(inner, `${path}.${property}`),
  ]);
}

function listed(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

function pascalCase(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1);
}
