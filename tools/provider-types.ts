/**
 * Writes the classes of the Pulumi provider to provider/generated/, with the types of their inputs and outputs, from
 * the schemas of the kinds; with --check, fails instead when they are not what would be written.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Kind, kinds } from "../core/kinds/index.ts";
import { camelSchema } from "../provider/lifecycle/casing.ts";
import { inputSchema } from "../provider/lifecycle/inputs.ts";
import { reportedOutputs } from "../provider/lifecycle/outputs.ts";
import { Interfaces, member, outputType, remark } from "./provider-types/interfaces.ts";

const folder = path.join(import.meta.dirname, "..", "provider", "generated");

/** The files of provider/generated/: name -> text. */
export function providerFiles(): Map<string, string> {
  return new Map(kinds.map((kind) => [`${kind.slug}.ts`, moduleOf(kind)]));
}

function moduleOf(kind: Kind): string {
  const { name } = kind;
  const interfaces = new Interfaces();
  const inputs = inputSchema(kind);
  interfaces.addInput(`${name}Args`, { ...inputs, description: `Inputs of ${article(name)}.` });
  const outputs = outputsOf(kind);
  const fields = outputs.map(({ property, schema, isAlways }) => {
    const type = outputType(interfaces, `${name}${pascalCase(property)}`, schema);
    return member(
      remark(schema),
      `declare readonly ${property}`,
      `pulumi.Output<${type}${isAlways ? "" : " | undefined"}>`,
    );
  });
  const names = outputs.map(({ property }) => `  "${property}",\n`).join("");
  const body = `${interfaces.text()}
const outputs = [
${names}];

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
  return `// Made from the schema of the kind by \`npm run generate\`: not to be changed by hand.
import type * as pulumi from "@pulumi/pulumi";
${reference}import { ApiResource } from "../resource.ts";

${body}`;
}

/** What a resource of the kind has, and whether it always has it. */
function outputsOf(kind: Kind) {
  const { properties = {}, needs = [] } = camelSchema(kind.fields);
  const { name, ...own } = inputSchema(kind).properties ?? {};
  const parent = kind.parentMember === undefined ? {} : { [kind.parentMember]: own[kind.parentMember] };
  const always = { ...(name && { name }), ...parent, ...reportedOutputs(kind) };
  return [
    ...Object.entries(properties).map(([property, schema]) => ({
      property,
      schema,
      isAlways: schema.default !== undefined || needs.includes(property),
    })),
    ...Object.entries(always).flatMap(([property, schema]) =>
      schema ? [{ property, schema, isAlways: true }] : [],
    ),
  ];
}

function pascalCase(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1);
}

function article(name: string): string {
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

function write(files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(path.join(folder, name));
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
}

function staleFiles(files: ReadonlyMap<string, string>): string[] {
  const present = readdirSync(folder);
  const changed = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(path.join(folder, name), "utf8") !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !files.has(name))];
}

if (import.meta.main) {
  const files = providerFiles();
  if (process.argv.includes("--check")) {
    const stale = staleFiles(files);
    if (stale.length > 0) {
      console.error(`stale in provider/generated/: ${stale.join(", ")}; run: npm run generate`);
      process.exitCode = 1;
    }
  } else write(files);
}
