import fc from "fast-check";
import { type AnyAddress, foreignAddress, formatAddress } from "../../../core/address.ts";
import { type PlanForm, planForm } from "../../../core/forms/plan-form.ts";
import { own } from "../../../core/json.ts";
import { kinds } from "../../../core/kinds/index.ts";

/** What the schemas of JSON forms say. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

const text = fc.string({ maxLength: 8 });
const name = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" });
const json = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: false })
  // JSON has no -0.
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const fields = fc.dictionary(name, json, { maxKeys: 3, noNullPrototype: true });

const names = (count: number) => fc.array(name, { minLength: count, maxLength: count });
const address: fc.Arbitrary<AnyAddress> = fc
  .constantFrom(...kinds)
  .chain((kind) => names(kind.depth + 1).map((its) => ({ kind, names: its })));
const foreign = names(3).map((its) => foreignAddress("queue", its));

/** Values of members that are texts of a form of their own. */
const texts: Record<string, fc.Arbitrary<string>> = {
  address: address.map(formatAddress),
  live_address: fc.oneof(address, foreign).map(formatAddress),
  reaches: address.map(formatAddress),
  resources: address.map(formatAddress),
  // Names of what is lost, of a clone and of an organization are never empty.
  name,
};

/** Any values of a schema. @param member the member that they are for, or that they are elements of */
function valuesOf(schema: Schema, member: string): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema;
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valuesOf(each, member)));
  // Of the source of a clone, one of the references.
  if (member === "source")
    return fc
      .tuple(
        valuesOf(properties?.["address"] ?? {}, "address"),
        fc.constantFrom("id", "made_by", "brought_by"),
        text,
      )
      .map(([its, reference, id]) => ({ address: its, [reference]: id }));
  if (properties)
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([key, its]) => [key, valuesOf(its, key)])),
      { requiredKeys: required },
    );
  switch (schema.type) {
    case "object":
      return fields;
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, member), { maxLength: 3 });
    case "string":
      return own(texts, member) ?? text;
    case "integer":
      return fc.integer({ min: schema.minimum ?? -9, max: 999 });
    case "boolean":
      return fc.boolean();
    default:
      return json;
  }
}

/** A problem has a place, or none. */
function placed({ file, line = 1, column = 1, line_text = "", ...problem }: PlanForm["problems"][number]) {
  return { ...problem, ...(file !== undefined && { file, line: line + 1, column: column + 1, line_text }) };
}

/** The same actions in an order that can be carried out: each waits for earlier ones only. */
function inOrder(actions: PlanForm["actions"]): PlanForm["actions"] {
  const isLate = (one: object) => "after_others" in one && one.after_others === true;
  const named = actions.map((one, index) => ({ ...one, id: `${index} ${one.id}` }));
  return named.map(({ along_with, ...one }, index) => {
    const earlier = named.slice(0, index);
    const free = earlier.filter((other) => isLate(one) || !isLate(other));
    const after = free.slice(0, one.after.length).map(({ id }) => id);
    const [first] = earlier;
    return { ...one, after, ...(along_with !== undefined && first && { along_with: first.id }) };
  });
}

/** The members of which a plan is made; the others follow from them, or are those of a file. */
const { goal, organization, actions, problems, notes, cost } = planForm.properties as Record<string, Schema>;

/** Any plan in its JSON form, including plans that no planner creates. */
export const planForms = valuesOf(
  {
    properties: { goal, organization, actions, problems, notes, cost } as Record<string, Schema>,
    required: ["goal", "organization", "actions", "problems", "notes", "cost"],
  },
  "",
).map((given) => {
  const form = given as PlanForm;
  return { ...form, actions: inOrder(form.actions), problems: form.problems.map(placed) };
});
