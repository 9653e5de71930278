// Writes the inputs and outputs of every resource into docs/pulumi.md, from the kinds themselves.
import { type FieldSchema, type Kind, kinds } from "../../core/kinds/index.ts";
import { inputSchema } from "../../provider/lifecycle/inputs.ts";
import { reportedOutputs } from "../../provider/lifecycle/outputs.ts";
import { table, writeSections } from "./section.ts";

/** An input as a row of the table. */
interface Row {
  path: string;
  schema: FieldSchema;
  /** It has to be there. */
  isRequired: boolean;
  /** It has to be there when the resource is made from nothing. */
  isNeeded: boolean;
}

function referenceOf(kind: Kind): string {
  const outputs = Object.entries(reportedOutputs(kind));
  return [
    `### ${kind.name}`,
    kind.description,
    table(["Input", "Type", "Default", "What it is"], rowsOf(inputSchema(kind)).map(cells)),
    `Outputs: \`id\`, every input as it is in the API (references as \`{ id, name }\`), and`,
    table(
      ["Output", "Type", "What it is"],
      outputs.map(([output, schema]) => [`\`${output}\``, typeOf(schema), schema.description ?? ""]),
    ),
  ].join("\n\n");
}

/** A row for each input, those inside it after it. What looks like an earlier one inside is not told again. */
function rowsOf(schema: FieldSchema, prefix = "", seen: Map<string, string> = new Map()): Row[] {
  const { properties = {}, needs = [], required = [] } = schema;
  return Object.entries(properties).flatMap(([property, inside]) => {
    const path = prefix + property;
    const row: Row = {
      path,
      schema: inside,
      isRequired: required.includes(property),
      isNeeded: needs.includes(property),
    };
    const held = inside.items?.properties ? inside.items : inside;
    if (!held.properties || held.opaque) return [row];
    const content = JSON.stringify(held.properties);
    const earlier = seen.get(content);
    if (earlier !== undefined) {
      const description = `${inside.description ?? ""} Members as of \`${earlier}\`.`;
      return [{ ...row, schema: { ...inside, description } }];
    }
    seen.set(content, path);
    return [row, ...rowsOf(held, `${path}${held === inside ? "" : "[]"}.`, seen)];
  });
}

function cells({ path, schema, isRequired, isNeeded }: Row): string[] {
  const { description = "", default: fallback, immutable, immutableAlternative } = schema;
  const need = isRequired ? ["**Required.**"] : isNeeded ? ["**Needed** to make one from nothing."] : [];
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

if (import.meta.main) {
  writeSections([{ page: "pulumi.md", name: "resources", text: kinds.map(referenceOf).join("\n\n") }]);
}
