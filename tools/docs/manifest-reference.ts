// Writes the page of every kind, docs/reference/manifests/KIND.md, and the list of kinds in docs/reference/manifests.md: from the kinds, and from
// the docstring that has the example of a kind, in its file.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Json } from "../../core/values/json.ts";
import { inSentence } from "../../core/values/text.ts";
import { type FieldSchema, type Kind, kinds } from "../../core/model/kinds/index.ts";
import { documentSchema, rangeOf } from "../../core/manifests/manifest/index.ts";
import { schemaFor } from "../../core/model/schema/field-schema.ts";
import { type FieldRow, fieldRows, partRows } from "./field-rows.ts";
import { writeFolder } from "../generated-files.ts";
import { table, writeSections } from "./section.ts";

const ownMembers = new Set(["kind", "name", "clone", "manage"]);

const pageOf = ({ name }: Kind) => `manifests/${name.toLowerCase()}.md`;

const folder = join(import.meta.dirname, "../../core/model/kinds");

/** The docstrings with an example, each as Markdown, by the kind of the example. */
const docstrings = new Map(
  readdirSync(folder)
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/^\/\*\*\n([^]*?)^ \*\/$/gm)])
    .map(([, lines = ""]) => lines.replaceAll(/^ \* ?/gm, "").trim())
    .flatMap((text) => {
      const [, kind] = /^```yaml\nkind: (\w+)\n/.exec(text) ?? [];
      return kind === undefined ? [] : [[kind, text] as const];
    }),
);

function pageText(kind: Kind): string {
  const docstring = docstrings.get(kind.name);
  if (docstring === undefined)
    throw new Error(
      `the page of ${kind.name} lacks an example: above its defineKind(…), write a docstring that begins with a block \`\`\`yaml and kind: ${kind.name}`,
    );
  const fields = table(
    ["Field", "Type", "Default", "`null`", "What it is"],
    fieldRows(schemaFor(kind.fields, "document")).map(cells),
  );
  return [
    `# ${kind.name}`,
    "<!-- written by tools/docs/manifest-reference.ts, from the file of the kind in core/model/kinds/ -->",
    `${kind.description} ${placeOf(kind)}`,
    docstring,
    ...(docstring.includes("See also: ") ? [] : [`See also: ${guidesOf(kind)}.`]),
    "## Fields",
    `${fields}\n`,
  ].join("\n\n");
}

function guidesOf({ deployment }: Kind): string {
  return deployment
    ? "[variables and secrets](../../guides/variables.md), [custom domains and settings](../../guides/settings.md), [deployments](../../guides/deployments.md)"
    : "[the organization](../../guides/organization.md)";
}

function kindList(): string {
  return table(
    ["Kind", "In", "What it is"],
    kinds.map((kind) => [
      `[${kind.name}](${pageOf(kind)})`,
      kind.parent?.name ?? "the organization",
      kind.description,
    ]),
  );
}

function placeOf({ name, parent, parentMember, clone }: Kind): string {
  const place =
    parent && parentMember !== undefined
      ? `\`${parentMember}\` names the ${parent.name} that holds it.`
      : `The organization holds it: it names no parent.`;
  const cloning = clone ? `\`clone.from\` names another ${name}.` : "It cannot be cloned.";
  return `${place} ${cloning}`;
}

function cells({ path, schema, isNeeded }: FieldRow): string[] {
  return [
    `\`${path}\``,
    typeOf(schema),
    schema.default === undefined ? "" : `\`${literal(schema.default)}\``,
    resetOf(schema, isNeeded),
    remarks(schema, isNeeded),
  ];
}

function typeOf(schema: FieldSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.type === undefined && schema.opaque) return "any value";
  switch (schema.type) {
    case "array":
      if (schema.items?.type === "array") return "list of lists of texts";
      return schema.items?.properties ? "list of mappings" : "list of texts";
    case "object":
      return "mapping";
    case "integer":
      return `integer${rangeOf(schema)}`;
    case "boolean":
      return "`true`, `false`";
    default:
      return schema.format === undefined ? "text" : `text (${schema.format})`;
  }
}

function literal(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

function resetOf({ resettable, default: value, type }: FieldSchema, isNeeded: boolean): string {
  // The API has the default of a value of any type.
  if (type === undefined) return "default";
  if (resettable === false || (isNeeded && value === undefined)) return "error";
  return value === undefined ? "removes it" : "default";
}

function remarks(schema: FieldSchema, isNeeded: boolean): string {
  const { description = "", set, alternatives, immutable, immutableAlternative, needsOneOf } = schema;
  return [
    description,
    ...(isNeeded ? ["**Needed.**"] : []),
    ...(needsOneOf && !alternatives ? [`Needs one of ${list(needsOneOf)}.`] : []),
    ...(set ? [set.length === 0 ? "A set." : `A set, by ${list(set, "and")}.`] : []),
    ...(alternatives && !description.includes(":")
      ? [`One of ${oneOf(alternatives.filter((group) => group.length > 0))}.`]
      : []),
    ...[immutable, immutableAlternative].flatMap((why) =>
      why === undefined ? [] : [`**A change needs a replacement**: ${why}.`],
    ),
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** Groups of members, of which a value has those of one. */
function oneOf(groups: readonly string[][]): string {
  const isPlain = groups.every((group) => group.length === 1);
  return isPlain ? list(groups.flat()) : groups.map((group) => list(group)).join("; ");
}

function list(members: readonly string[], last = "or"): string {
  return inSentence(
    members.map((member) => `\`${member}\``),
    last,
  );
}

/** The members `manage` and `clone`, which are not fields: the same for all kinds, except those of some kinds only. */
function envelope(): string {
  const rows = new Map<string, { row: FieldRow; of: string[] }>();
  for (const kind of kinds) {
    const { properties = {} } = documentSchema(kind);
    const own = Object.fromEntries(Object.entries(properties).filter(([member]) => ownMembers.has(member)));
    for (const row of fieldRows({ properties: own, required: ["kind", "name"] })) {
      // A member may have another type or another meaning in some kinds.
      const key = `${row.path} ${row.schema.type} ${generalDescription(row.path, row.schema)}`;
      const entry = rows.get(key) ?? { row, of: [] };
      rows.set(key, { ...entry, of: [...entry.of, kind.name] });
    }
  }
  const shown = [...rows.values()].map(({ row: { path, schema, isNeeded }, of }) => [
    `\`${path}\``,
    of.length === kinds.length ? "" : of.join(", "),
    path === "kind" ? list(kinds.map(({ name }) => name)) : typeOf(schema),
    remarks({ ...schema, description: generalDescription(path, schema) }, isNeeded),
  ]);
  return table(["Member", "Only of", "Type", "What it is"], shown);
}

/** Removes from a row the parts that apply to one kind only. */
function generalDescription(path: string, { description = "" }: FieldSchema): string {
  return path === "clone.from" ? "What to clone: the reference to a resource of the same kind." : description;
}

const isVariable = ({ path }: FieldRow) => /^(variables|secrets)\./.test(path);

function partTable(isShown: (row: FieldRow) => boolean): string {
  return table(
    ["Field", "Type", "Default", "`null`", "What it is"],
    partRows()
      .filter((row) => isShown(row))
      .map(cells),
  );
}

if (import.meta.main) {
  writeSections([
    { page: "reference/manifests.md", name: "members", text: envelope() },
    { page: "reference/manifests.md", name: "kinds", text: kindList() },
    { page: "guides/variables.md", name: "parts", text: partTable((row) => isVariable(row)) },
    { page: "guides/settings.md", name: "parts", text: partTable((row) => !isVariable(row)) },
  ]);
  writeFolder(
    "docs/reference/manifests",
    new Map(kinds.map((kind) => [basename(pageOf(kind)), pageText(kind)])),
  );
}
