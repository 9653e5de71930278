// The tables of docs/reference/json.md: members of plans, reports and problems, from their JSON Schemas, and codes.
import { planForm, problemForm, published, reportForm } from "../../core/outputs/forms/index.ts";
import { errorCodes, noteCodes, outcomeCodes, problemCodes, remarkCodes } from "../../core/problems/codes.ts";
import { table } from "./section.ts";

/** The parts of a JSON Schema that the tables show. */
interface Schema {
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}

const head = ["Member", "Required", "What it is"];

/** A row for each member, and for the members inside it; the members in `apart` have tables of their own. */
function memberRows(
  { properties = {}, required = [] }: Schema,
  apart: readonly string[] = [],
  prefix = "",
): string[][] {
  return Object.entries(properties).flatMap(([member, schema]) => {
    const path = prefix + member;
    const row = [`\`${path}\``, required.includes(member) ? "yes" : "", meaningOf(schema)];
    if (apart.includes(member)) return [row];
    const inside = schema.items
      ? memberRows(schema.items, apart, `${path}[].`)
      : memberRows(schema, apart, `${path}.`);
    return [row, ...inside];
  });
}

function meaningOf({ description = "", const: constant, enum: values }: Schema): string {
  const allowed = constant === undefined ? values : [constant];
  const isReported = allowed?.every((value) => description.includes(`\`${String(value)}\``));
  if (!allowed || isReported || allowed.length > 10) return description;
  const list = allowed.map((value) => `\`${String(value)}\``).join(", ");
  return description === "" ? list : `${description} ${allowed.length === 1 ? "Always" : "One of"} ${list}.`;
}

const plan: Schema = published("a plan", planForm);
const report: Schema = published("a report", reportForm);
const problem: Schema = published("a problem", problemForm);
const actions = plan.properties?.["actions"]?.items?.anyOf ?? [];
const typeOf = ({ properties }: Schema) => String(properties?.["type"]?.const);

function isShared(member: string): boolean {
  return actions.every(({ properties = {} }) => member in properties);
}

function only(schema: Schema, isDesired: (member: string) => boolean): Schema {
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([member]) => isDesired(member)),
    ),
  };
}

function actionTypes(): string {
  return table(
    ["`type`", "What the action does"],
    actions.map((action) => [`\`${typeOf(action)}\``, action.description ?? ""]),
  );
}

/** The members that only some types of action have, each with those types; in brackets if the member is optional. */
function furtherMembers(): string {
  const rows = new Map<string, string[]>();
  for (const action of actions)
    for (const [path = "", required = "", meaning = ""] of memberRows(
      only(action, (member) => !isShared(member)),
    )) {
      const [, types = "", reported = meaning] = rows.get(path) ?? [];
      const type =
        required === "" && !path.includes(".") ? `(\`${typeOf(action)}\`)` : `\`${typeOf(action)}\``;
      rows.set(path, [path, types === "" ? type : `${types}, ${type}`, reported]);
    }
  return table(["Member", "Of the types", "What it is"], [...rows.values()]);
}

function codeTable(codes: Record<string, string | { means: string }>): string {
  return table(
    ["Code", "Meaning"],
    Object.entries(codes).map(([code, of]) => [`\`${code}\``, typeof of === "string" ? of : of.means]),
  );
}

export function jsonTables(): Record<string, string> {
  const [first = {}] = actions;
  return {
    "plan members": table(head, memberRows(plan, ["actions", "problems", "remedies"])),
    "action types": actionTypes(),
    "action members": table(head, memberRows(only(first, (member) => member !== "type" && isShared(member)))),
    "further members": furtherMembers(),
    "report members": table(head, memberRows(report)),
    "problem members": table(head, memberRows(problem, ["remedies"])),
    "error codes": codeTable(errorCodes),
    "problem codes": codeTable(problemCodes),
    "outcome codes": codeTable(outcomeCodes),
    "note codes": codeTable(noteCodes),
    "remark codes": codeTable(remarkCodes),
  };
}
