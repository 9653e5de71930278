import { type Json, own } from "../json.ts";

/** The lists of an organization that fields refer to by name or id. */
export type Catalogue =
  | "cluster"
  | "containerRegistry"
  | "gitToken"
  | "annotationsGroup"
  | "labelsGroup"
  | "helmRepository";

/**
 * What a kind says about one of its fields: JSON Schema, plus the annotations that steer comparison, update and
 * replacement. The schemas are written with TypeBox; this is how the engine reads them.
 */
export interface FieldSchema {
  type?: "object" | "array" | "string" | "integer" | "boolean";
  description?: string;
  enum?: Json[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  items?: FieldSchema;
  /** Members beside `properties`: none, or of an opaque object those of this schema. */
  additionalProperties?: boolean | FieldSchema;

  /** The value that the API gives to a field that is left out; a field without it is compared only when both sides have it. */
  default?: Json;
  /** A change needs a replacement; the text says why. */
  immutable?: string;
  /** The value is the name or the id of an entry of this list of the organization. */
  reference?: Catalogue;
  /** A list that is a set: its elements are known by these members (none: by the element itself). */
  set?: string[];
  /** The API gives every element of the list an id, which an update has to send again. */
  identified?: true;
  /** Groups of members of which at most one group is there; stating one drops the others. */
  alternatives?: string[][];
  /** A change from one alternative to another needs a replacement; the text says why. */
  immutableAlternative?: string;
  /** Members that have to be there in what is sent. */
  needs?: string[];
  /** Members of which at least one has to be there in what is sent. */
  needsOneOf?: string[];
  /** The API names no value that the field goes back to, so null is no value for it. */
  resettable?: boolean;
  /** A text of this pattern is one that the API gives by itself at creation: nobody has chosen it. */
  generated?: string;
  /** A free value: compared and written as a whole, its keys left alone. */
  opaque?: true;
  /** The API wants it in every request: its default is sent where nothing is stated. */
  alwaysSent?: true;
  /** The API does not show it where this member beside it is true; what is hidden is not compared. */
  hiddenWhen?: string;
  /** An object with keys that are free, each value of this schema: compared and laid over each other key by key. */
  entries?: FieldSchema;
  /** What the keys of such an object have to look like. */
  keys?: { pattern: string; message: string; advice: string };
  /** Of an entry: the member that a text alone stands for. */
  short?: string;
  /** The most bytes that a text may have. */
  maxBytes?: number;
  /** A text that names a file beside the manifest, whose text becomes the member of this name. */
  readsInto?: string;
  /** It hangs on the resource and has calls of its own: no request of the resource itself has it. */
  part?: true;
  /** The API never shows it: it is compared only with what is not there. */
  neverShown?: true;
  /** The only place where it can be stated; `engine`: nobody states it. Absent: everywhere. */
  place?: "document" | "program" | "engine";
}

/** The annotations above that are not JSON Schema: what a validator has to be told to accept. */
export const annotations = [
  "immutable",
  "reference",
  "set",
  "identified",
  "alternatives",
  "immutableAlternative",
  "needs",
  "needsOneOf",
  "resettable",
  "generated",
  "opaque",
  "alwaysSent",
  "hiddenWhen",
  "entries",
  "keys",
  "short",
  "maxBytes",
  "readsInto",
  "part",
  "neverShown",
  "place",
] as const satisfies (keyof FieldSchema)[];

/** The schema of a member of an object; undefined where the object has no such member. */
export function memberOf(schema: FieldSchema, member: string): FieldSchema | undefined {
  return own(schema.properties ?? {}, member) ?? schema.entries;
}

/** The schema of what can be stated in a place. */
export function schemaFor(schema: FieldSchema, place: "document" | "program"): FieldSchema {
  const { properties, entries, alternatives, needsOneOf } = schema;
  if (schema.opaque || (!properties && !entries)) return schema;
  const kept = Object.entries(properties ?? {}).filter(([, inner]) => (inner.place ?? place) === place);
  const isKept = (member: string) => kept.some(([name]) => name === member);
  const inside = entries && schemaFor(entries, place);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(kept.map(([member, inner]) => [member, schemaFor(inner, place)])),
    }),
    ...(inside && { entries: inside, additionalProperties: inside }),
    ...(alternatives && { alternatives: alternatives.map((group) => group.filter(isKept)) }),
    ...(needsOneOf && { needsOneOf: needsOneOf.filter(isKept) }),
  };
}

/** Whether values of a schema are compared and laid over each other member by member. */
export function hasMembers({ properties, entries, opaque }: FieldSchema): boolean {
  return !opaque && (properties !== undefined || entries !== undefined);
}

/** Which alternatives of an object schema a value has members of, as indices. */
export function alternativesOf(schema: FieldSchema, value: { [member: string]: Json }): number[] {
  return (schema.alternatives ?? []).flatMap((group, index) =>
    group.some((member) => Object.hasOwn(value, member) && value[member] !== null) ? [index] : [],
  );
}

/** The paths of all fields, those of the elements of lists too: `ports.name`. */
export function fieldPaths(schema: FieldSchema, prefix = ""): string[] {
  const { properties } = schema.items ?? schema;
  if (schema.opaque) return [];
  return Object.entries(properties ?? {}).flatMap(([member, inner]) => [
    prefix + member,
    ...fieldPaths(inner, `${prefix}${member}.`),
  ]);
}

/** The description of a field, as a remark at the end of a message: ` (Memory in MB)`. */
export function about({ description }: FieldSchema): string {
  return description === undefined ? "" : ` (${description.replace(/\.$/, "").replaceAll("`", "")})`;
}
