// Writes the page of every resource, docs/reference/pulumi-resources/RESOURCE.md, their list, and the rules of docs/reference/pulumi.md.
import { concerns } from "../../core/planning/concerns/index.ts";
import { type FieldSchema, kinds } from "../../core/model/kinds/index.ts";
import { inputSchema } from "../../provider/lifecycle/inputs.ts";
import { functions } from "../../provider/lifecycle/functions.ts";
import { programResources } from "../../provider/lifecycle/program-resources.ts";
import { reportedOutputs, shownOutput } from "../../provider/lifecycle/outputs.ts";
import { tokenOf } from "../../provider/plugin/types.ts";
import { examplePrograms } from "../pulumi/programs/index.ts";
import { capitalized } from "../../core/values/text.ts";
import { writeFolder } from "../generated-files.ts";
import { type FieldRow, fieldRows } from "./field-rows.ts";
import { table, writeSections } from "./section.ts";

interface DocumentedResource {
  name: string;
  description: string;
  inputs: FieldSchema;
  outputs: Record<string, FieldSchema>;
  /** Its parent, or where it exists. */
  place: string;
}

const resources: readonly DocumentedResource[] = [
  ...kinds.map((kind) => ({
    name: kind.name,
    description: kind.description,
    inputs: inputSchema(kind),
    outputs: { ...shownOutput(kind), ...reportedOutputs(kind) },
    place: kind.parent?.name ?? "organization",
  })),
  ...programResources.map((each) => ({ ...each, place: "programs alone" })),
];

const exampleCode = examplePrograms();

const pageOf = ({ name }: DocumentedResource) => `${name.toLowerCase()}.md`;

function nameOf(language: string): string {
  const names: Readonly<Record<string, string>> = { typescript: "TypeScript", csharp: "C#", yaml: "YAML" };
  return names[language] ?? capitalized(language);
}

function tablesOf(resource: DocumentedResource): string {
  const { name, inputs, outputs } = resource;
  const examples = Object.entries(exampleCode.get(tokenOf(name)) ?? {});
  const readers = functions.filter(({ outputs: read }) => {
    const of = "each" in read ? read.each : read;
    return "slug" in of && of.name === name;
  });
  const outputRows = Object.entries(outputs).map(([output, schema]) => [
    `\`${output}\``,
    typeOf(schema),
    schema.description ?? "",
  ]);
  return [
    "## Example",
    `::: code-group\n\n${examples.map(([language, text]) => `\`\`\`${language} [${nameOf(language)}]\n${text}\`\`\``).join("\n\n")}\n\n:::`,
    "## Inputs",
    table(["Input", "Type", "Default", "What it is"], fieldRows(inputs).map(cells)),
    "## Outputs",
    "`id`, every input as it is in the API (references as `{ id, name }`), and",
    table(["Output", "Type", "What it is"], outputRows),
    ...(readers.length === 0
      ? []
      : [
          "## Functions",
          table(
            ["Function", "Arguments", "What it does"],
            readers.map((each) => [
              `\`${each.name}\``,
              Object.keys(each.inputs)
                .map((argument) => `\`${argument}\``)
                .join(", "),
              each.description,
            ]),
          ),
        ]),
  ].join("\n\n");
}

function pageText(resource: DocumentedResource): string {
  const { name, description } = resource;
  return `# ${name}

<!-- written by tools/docs/pulumi-reference.ts; the tables are made with the site -->

${description} Its type is \`infrasync:index:${name}\`, and its class \`${name}\`, in the [plugin](../pulumi.md#the-plugin) and in the [dynamic provider](../pulumi.md#a-first-stack).

<!-- @include: ../../../.cache/site/resources/${pageOf(resource)} -->
`;
}

export function resourceTables(): Map<string, string> {
  return new Map(resources.map((each) => [pageOf(each), tablesOf(each)]));
}

function cells({ path, schema, isRequired, isNeeded }: FieldRow): string[] {
  const { description = "", default: fallback, immutable, immutableAlternative } = schema;
  const need = isRequired
    ? ["**Required.**"]
    : isNeeded
      ? ["**Required** to create it without a clone."]
      : [];
  const reasons = [immutable, immutableAlternative].flatMap((why) =>
    why === undefined ? [] : [`**A change replaces the resource**: ${why}.`],
  );
  return [
    `\`${path}\``,
    typeOf(schema),
    fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\``,
    [description, ...need, ...reasons].filter((text) => text !== "").join(" "),
  ];
}

function typeOf(schema: FieldSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (schema.type === undefined && schema.opaque) return "any value";
  if (schema.items?.items) return "list of lists of texts";
  if (schema.items) return schema.items.properties ? "list of objects" : "list of texts";
  switch (schema.type) {
    case "object":
      return "object";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    default:
      return schema.format === "uuid" ? "id" : "text";
  }
}

/** The rules of the planner that programs ask too, and why the others are not asked. */
function referenceOfRules(): string {
  const requested = concerns.filter(({ programs }) => programs === true).map(({ name }) => name);
  const rows = concerns.flatMap(({ name, programs }) => (programs === true ? [] : [[name, programs]]));
  return [
    `These rules also apply to programs: ${requested.join(", ")}.`,
    table(["Rule only for manifests", "Why not for programs"], rows),
  ].join("\n\n");
}

if (import.meta.main) {
  const rows = resources.map((each) => [
    `[${each.name}](pulumi-resources/${pageOf(each)})`,
    each.place,
    each.description,
  ]);
  writeSections([
    { page: "reference/pulumi.md", name: "rules", text: referenceOfRules() },
    {
      page: "reference/pulumi-resources.md",
      name: "resources",
      text: table(["Resource", "In", "What it is"], rows),
    },
  ]);
  writeFolder(
    "docs/reference/pulumi-resources",
    new Map(resources.map((each) => [pageOf(each), pageText(each)])),
  );
}
