import { field, say } from "../../problems/say.ts";
import type { ResolvedFields } from "../fields/references.ts";
import { type Fields, isFields, type Json, own, sameJson } from "../../values/json.ts";
import { memberOf } from "../schema/field-schema.ts";
import { nearest } from "../schema/suggest.ts";
import { quote } from "../../source/mistake.ts";
import { listingKey, type PartLists } from "./lists.ts";
import type { PartListing } from "./part.ts";
import { type DeclaredPart, declaredParts, type WithParts } from "./declared-parts.ts";

/** Compares declared entries with the API's defaults, which show the valid entries, and replaces null by the default. */
export function resolveDefaults(
  kind: WithParts,
  declared: Fields,
  known: PartLists,
): ResolvedFields<PartListing> {
  const result: ResolvedFields<PartListing> = { fields: { ...declared }, missing: [], problems: [] };
  for (const part of declaredParts(kind)) {
    const { member, name } = part;
    const entries = own(declared, member);
    const listing = part.form.defaults;
    if (!listing || !isFields(entries) || Object.keys(entries).length === 0) continue;
    const defaults = defaultsIn(part, known);
    if (!defaults) {
      result.missing.push(listing);
      continue;
    }
    for (const [key, value] of Object.entries(entries)) {
      const mistake = defaults.has(key)
        ? wrongType(key, value, defaults.get(key) ?? null)
        : unknownKey(name, key, [...defaults.keys()]);
      if (mistake)
        result.problems.push({
          path: [member, key],
          ...mistake,
          message: say`${field([member])}: ${mistake.message}`,
        });
    }
    result.fields[member] = Object.fromEntries(
      Object.entries(entries).map(([key, value]) => [key, value ?? defaults.get(key) ?? null]),
    );
  }
  return result;
}

/** The defaults of a part, null for an entry without a value; undefined while they are unknown. */
function defaultsIn({ form, keyOf }: DeclaredPart, known: PartLists): Map<string, Json> | undefined {
  const listed = form.defaults && known.get(listingKey(form.defaults));
  return (
    listed &&
    new Map(
      listed.flatMap((entry) => {
        const key = keyOf(entry);
        return key === undefined ? [] : [[key, form.declaredAs(entry)] as const];
      }),
    )
  );
}

/** Whether an entry of a part has its default; undefined: the defaults of the part are not read. */
export function isDefault(
  part: DeclaredPart,
  known: PartLists,
  key: string,
  value: Json,
): boolean | undefined {
  const { form } = part;
  if (form.isImplied) return form.isImplied(value);
  if (!form.isPermanent) return false;
  const isKnown = !form.defaults || known.has(listingKey(form.defaults));
  return isKnown ? sameJson(value, defaultOf(part, known, key)) : undefined;
}

/** The default value of an entry; undefined: none, or unknown. */
export function defaultOf(part: DeclaredPart, known: PartLists, key: string): Json | undefined {
  const { form } = part;
  return form.defaults ? defaultsIn(part, known)?.get(key) : memberOf(form.schema, key)?.default;
}

function unknownKey(
  name: string,
  key: string,
  known: readonly string[],
): { message: string; advice: string } {
  const near = nearest(key, known) ?? known.find((other) => other.endsWith(`.${key}`));
  const inside = known.filter((other) => other.startsWith(`${key}.`));
  return {
    message: `there is no ${name} ${quote(key)}`,
    advice:
      near !== undefined
        ? `did you mean ${near}?`
        : inside.length > 0
          ? `write the whole name as one key, such as ${inside[0] ?? ""}`
          : known.length === 0
            ? "take it out: the server lists none"
            : `there are: ${known.toSorted().join(", ")}`,
  };
}

/** The mistake of a value whose type differs from the default's. A default without a value has no type. */
function wrongType(
  key: string,
  value: Json,
  fallback: Json,
): { message: string; advice: string } | undefined {
  const desired = typeOf(fallback);
  const given = typeOf(value);
  const isWhole = typeof value !== "number" || !Number.isInteger(fallback) || Number.isInteger(value);
  if (value === null || fallback === null || (desired === given && isWhole)) return undefined;
  const type = desired === "a number" && Number.isInteger(fallback) ? "a whole number" : desired;
  const isScalar = !Array.isArray(value) && !isFields(value);
  return {
    message: `${key} must be ${type}, not ${isScalar ? JSON.stringify(value) : given}`,
    advice: `write ${type}, such as its default ${JSON.stringify(fallback)}`,
  };
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (isFields(value)) return "a mapping";
  switch (typeof value) {
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    default:
      return "a text";
  }
}
