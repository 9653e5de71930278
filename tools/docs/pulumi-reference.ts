// The inputs and outputs of every resource, for docs/reference/pulumi-resources.md; writes the rules of docs/reference/pulumi.md.
import { concerns } from "../../core/planning/concerns/index.ts";
import { type FieldSchema, type Kind, kinds } from "../../core/model/kinds/index.ts";
import { inputSchema } from "../../provider/lifecycle/inputs.ts";
import type { ProgramResource } from "../../provider/lifecycle/program-resource.ts";
import { programResources } from "../../provider/lifecycle/program-resources.ts";
import { reportedOutputs, shownOutput } from "../../provider/lifecycle/outputs.ts";
import { type FieldRow, fieldRows } from "./field-rows.ts";
import { table, writeSections } from "./section.ts";

function referenceOfProgramResource({ name, description, inputs, outputs }: ProgramResource): string {
  return [
    `### ${name}`,
    description,
    table(["Input", "Type", "Default", "What it is"], fieldRows(inputs).map(cells)),
    Object.keys(outputs).length === 0
      ? "Outputs: `id`, and every input."
      : `Outputs: \`id\`, every input, and ${Object.keys(outputs)
          .map((output) => `\`${output}\``)
          .join(", ")}.`,
  ].join("\n\n");
}

function referenceOf(kind: Kind): string {
  const outputs = Object.entries({ ...shownOutput(kind), ...reportedOutputs(kind) });
  return [
    `### ${kind.name}`,
    kind.description,
    table(["Input", "Type", "Default", "What it is"], fieldRows(inputSchema(kind)).map(cells)),
    `Outputs: \`id\`, every input as it is in the API (references as \`{ id, name }\`), and`,
    table(
      ["Output", "Type", "What it is"],
      outputs.map(([output, schema]) => [`\`${output}\``, typeOf(schema), schema.description ?? ""]),
    ),
  ].join("\n\n");
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

/** The rules of the planner: those that are asked for programs, and why the others are not. */
function referenceOfRules(): string {
  const asked = concerns.filter(({ programs }) => programs === true).map(({ name }) => name);
  const rows = concerns.flatMap(({ name, programs }) => (programs === true ? [] : [[name, programs]]));
  return [
    `Asked for programs too: ${asked.join(", ")}.`,
    table(["Rule for manifests alone", "Why programs are not asked"], rows),
  ].join("\n\n");
}

/** Every resource of programs. */
export function resourcesReference(): string {
  return [...kinds.map(referenceOf), ...programResources.map(referenceOfProgramResource)].join("\n\n");
}

if (import.meta.main)
  writeSections([{ page: "reference/pulumi.md", name: "rules", text: referenceOfRules() }]);
