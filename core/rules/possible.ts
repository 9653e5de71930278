import { inSentence } from "../values/text.ts";
import { compare, type FieldChange, formatPath } from "../model/fields/compare.ts";
import type { Kind, PlannedChange } from "../model/kinds/index.ts";
import { memberOf, type FieldSchema, hasMembers } from "../model/schema/field-schema.ts";
import type { Message } from "../problems/say.ts";
import { secretsWithoutSource } from "../secrets/index.ts";
import { type Fields, isFields, type Json, own } from "../values/json.ts";

/** The objections of the schema and the kind to a request. With `isMissing`, declaring the member would help. */
export function objectionsTo(kind: Kind, change: PlannedChange): Objection[] {
  const problem = kind.problem?.(change);
  return [
    ...missingFor(kind, change).map((missing) => ({ ...missing, isMissing: true })),
    ...lostSecrets(kind, change),
    ...(problem ? [{ path: [problem.field], message: problem.message, isMissing: false }] : []),
  ];
}

/** The missing members of a request, unless the live resource lacks them too. */
function missingFor({ fields }: Kind, { how, current, desired }: PlannedChange): MissingField[] {
  if (!current && how !== "create") return [];
  const missing = missingFields(fields, desired);
  if (!current || missing.length === 0) return missing;
  const already = new Set(missingFields(fields, current).map(({ path }) => formatPath(path)));
  return missing.filter(({ path }) => !already.has(formatPath(path)));
}

/** The secrets that a request would lose: it has to send all, and the API shows none. Unchanged parts send none. */
function lostSecrets({ fields }: Kind, { how, current, desired }: PlannedChange): Objection[] {
  const lost = how === "create" ? [] : secretsWithoutSource(fields, desired);
  if (lost.length === 0) return [];
  const isPart = (member: string) => memberOf(fields, member)?.part === true;
  const changed = compare(fields, current ?? {}, desired).map(({ path: [member = ""] }) => member);
  const isOwnSent = how !== "update" || changed.length === 0 || changed.some((member) => !isPart(member));
  return lost
    .filter(([member = ""]) => (isPart(member) ? changed.includes(member) : isOwnSent))
    .map((path) => ({
      path,
      message: "is a secret that the API does not show, and this change would lose it",
      isMissing: true,
    }));
}

/** The changes that need a replacement; `replaces` tells why. */
export function fixedAmong(changes: readonly FieldChange[]): ImmutableChange[] {
  return changes.filter((change): change is ImmutableChange => change.replaces !== undefined);
}

export type ImmutableChange = FieldChange & { replaces: string };

/** The problem of a member of a request: mostly that it is required and missing. */
export interface MissingField {
  path: string[];
  /** `is needed`, or alternatives: `needs image or docker`. */
  message: string;
  oneOf?: readonly string[];
}

/** An objection of the schema or the kind. With `isMissing`, declaring the member would help. */
export interface Objection extends Omit<MissingField, "message"> {
  message: string | Message;
  isMissing: boolean;
}

/** The missing members of a request, by `needs` and `needsOneOf`. */
export function missingFields(schema: FieldSchema, fields: Fields, path: string[] = []): MissingField[] {
  const lacking: MissingField[] = (schema.needs ?? [])
    .filter((member) => own(fields, member) === undefined)
    .map((member) => ({ path: [...path, member], message: "is needed" }));
  const { needsOneOf = [] } = schema;
  if (needsOneOf.length > 0 && !needsOneOf.some((member) => own(fields, member) !== undefined)) {
    // Members that only programs declare are always present there, by their types.
    const oneOf = needsOneOf.filter((member) => schema.properties?.[member]?.place !== "program");
    lacking.push({ path, message: `needs ${inSentence(oneOf, "or")}`, oneOf });
  }
  for (const [member, value] of Object.entries(fields)) {
    // Most members are plain values, and need no path.
    const memberSchema = typeof value === "object" ? memberOf(schema, member) : undefined;
    if (memberSchema) lacking.push(...missingInside(memberSchema, value, [...path, member]));
  }
  return lacking;
}

function missingInside(schema: FieldSchema, value: Json, path: string[]): MissingField[] {
  if (schema.opaque) return [];
  if (isFields(value)) return hasMembers(schema) ? missingFields(schema, value, path) : [];
  const { items } = schema;
  if (!items || !Array.isArray(value)) return [];
  return value.flatMap((element, index) => missingInside(items, element, [...path, `[${index}]`]));
}
