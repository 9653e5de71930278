import { type Json, mapValues, once, own } from "../../values/json.ts";
import type { Catalogue } from "./catalogues.ts";
import type { TextDoubt } from "./doubts.ts";

/** Units of numbers. A GB has 1024 MB, as the API counts. */
export type Unit = "millicores" | "MB" | "GB" | "GiB";

/** The schema of a field: JSON Schema with annotations for comparison, update and replacement, written with `field.ts`. */
export interface FieldSchema {
  /** Absent in an opaque schema: a value of any type. */
  type?: "object" | "array" | "string" | "integer" | "boolean";
  description?: string | undefined;
  enum?: Json[];
  /** Values that an editor offers. */
  examples?: Json[];
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
  /** Members beside `properties`: none, or for an opaque object members of this schema. */
  additionalProperties?: boolean | FieldSchema;

  /** The API's value for an omitted field. A field without a default is compared only when both sides have it. */
  default?: Json;
  /** The platform's undocumented value for an omitted field, with `when` only beside that value; `what`: advice. */
  platformSets?: { is?: Json; what?: string; when?: { member: string; is: Json } }[];
  /** Why a change needs a replacement. */
  immutable?: string;
  /** The value is the name or the id of an entry of this list of the organization. */
  reference?: Catalogue;
  /** Makes the list a set: these members are the key of an element (none: the whole element is). */
  set?: string[];
  /** The API gives every element of the list an id, which an update has to send again. */
  identified?: true;
  /** Members of answers that are no properties, and that no request has. */
  facts?: string[];
  /** Groups of members that exclude each other; one group drops the others. */
  alternatives?: string[][];
  /** Why a change of the alternative needs a replacement. */
  immutableAlternative?: string;
  /** Members that every request has to have. */
  needs?: string[];
  /** Members of which every request needs at least one. */
  needsOneOf?: string[];
  /** `false`: the API documents no default for the field, so null cannot reset it. */
  resettable?: boolean;
  /** People change it on a running resource: a dump declares it even with its default, so that a plan shows the change. */
  oftenChanged?: true;
  /** The pattern of texts that the API itself chooses at creation. */
  generated?: string;
  /**
   * The permanent loss by a change; absent: none, because the plan shows the former value. `gone`: its elements have data;
   * `smaller`: it is a size of data; `lower`: a lower version may not read it.
   */
  loses?: { when: "gone" | "smaller" | "lower"; what: string };
  /** In a value that is written as a whole: the API accepts and returns null. */
  nullable?: true;
  /** A free value: compared and written as a whole, its keys unchanged. Only its named members are checked. */
  opaque?: true;
  /** The API requires it in every request: its default is sent when no document declares it. */
  alwaysSent?: true;
  /** Whether every answer of the API has it. Absent: if it has a default, every request needs it, or it is a report. */
  alwaysAnswered?: boolean;
  /** The API hides it when this sibling member is true; hidden values are not compared. */
  hiddenWhen?: string;
  /** An object with free keys, each value of this schema: compared and overlaid key by key. */
  entries?: FieldSchema;
  /** Documents and programs declare the entries of such an object in a list: these members of an entry are its key. */
  keyedBy?: string[];
  /** The form of the keys of such an object. */
  keys?: { pattern: string; message: string; advice: string };
  /** In the schema of an entry: the member for which a plain text stands. */
  short?: string;
  /** Of a text that is one word of a command line: the list of the others. */
  restIn?: string;
  /** The unit of a number whose name lacks it; people see the number with it. */
  unit?: Unit;
  /** The sort of valid texts that nobody means: a note names them. */
  doubt?: TextDoubt;
  /** The most bytes that a text may have. */
  maxBytes?: number;
  /** The field names a file beside the manifest; the text of the file becomes the value of this member. */
  readsInto?: string;
  /** The field names a file; a path, or a path and a key, relative to the folder of the manifest. */
  besideManifest?: "path" | "path#key";
  /** The field is a part of the resource, with requests of its own: requests of the resource itself omit it. */
  part?: true | undefined;
  /** The value is the name of a resource of this kind in the same parent. */
  sibling?: string;
  /** A text that may contain a token, such as the URL of a webhook: no message quotes it. */
  mayHoldToken?: true;
  /** The API never shows it: a plan only compares whether it exists. */
  neverShown?: true;
  /** The description of the resource ends with its value, since no response has a member for it. */
  inDescription?: true;
  /** An object with the source of a text that the API never shows. In live fields, it only marks a value. */
  secret?: true;
  /** The member beside a secret that a response has if there is a value; absent: there always is one. */
  shownBy?: string;
  /** The member beside it that it must not exceed; -1 there means no limit. */
  notAbove?: string;
  /** Of a report: the field whose highest value on the cluster it is. */
  limits?: string;
  /** The only place that can declare it; `engine`: none. Absent: everywhere. */
  place?: "document" | "program" | "engine";
}

/** `250m` of CPU, `512 MB`, `1 GB`. */
export function withUnit(value: number, unit: Unit): string {
  if (unit === "millicores") return `${value}m`;
  return unit === "MB" && value >= 1024 && value % 1024 === 0 ? `${value / 1024} GB` : `${value} ${unit}`;
}

/** Undefined: the object has no such member. */
export function memberOf(schema: FieldSchema, member: string): FieldSchema | undefined {
  return own(schema.properties ?? {}, member) ?? schema.entries;
}

/** @param path such as `["ports", "[8080/HTTP]", "name"]`; undefined: there is no such field */
export function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  return path.reduce<FieldSchema | undefined>(
    (at, part) => at && (part.startsWith("[") ? (at.items ?? at.entries) : memberOf(at, part)),
    schema,
  );
}

/** Cached, because walks through thousands of values ask for the same few. */
export const propertiesOf = once(
  ({ properties = {} }: FieldSchema): readonly (readonly [string, FieldSchema])[] =>
    Object.entries(properties),
);

/** The schema of the list in which documents and programs declare entries. */
export function listForm({
  keyedBy = [],
  entries = {},
  description,
  part,
  resettable,
}: FieldSchema): FieldSchema {
  return {
    type: "array",
    items: entries,
    set: keyedBy,
    default: [],
    description,
    part,
    ...(resettable !== undefined && { resettable }),
  };
}

/** The schema of an object with its declared lists of entries. */
export const withLists = once((schema: FieldSchema): FieldSchema => {
  const { properties = {} } = schema;
  if (!Object.values(properties).some(({ keyedBy }) => keyedBy)) return schema;
  return {
    ...schema,
    properties: mapValues(properties, (inner) => (inner.keyedBy ? listForm(inner) : inner)),
  };
});

export function schemaFor(schema: FieldSchema, place: "document" | "program"): FieldSchema {
  const { properties, entries, items, alternatives, needsOneOf } = schema;
  if (schema.keyedBy) return listForm(schema);
  // A program contains the value itself.
  if (schema.secret && place === "program")
    return { type: "string", minLength: 1, secret: true, resettable: false, description: schema.description };
  if (schema.opaque || (!properties && !entries && !items)) return schema;
  const placed = Object.entries(properties ?? {}).filter(([, inner]) => (inner.place ?? place) === place);
  const isPlaced = (member: string) => placed.some(([name]) => name === member);
  const inside = entries && schemaFor(entries, place);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(placed.map(([member, inner]) => [member, schemaFor(inner, place)])),
    }),
    ...(inside && { entries: inside, additionalProperties: inside }),
    ...(items && { items: schemaFor(items, place) }),
    ...(alternatives && { alternatives: alternatives.map((group) => group.filter(isPlaced)) }),
    ...(needsOneOf && { needsOneOf: needsOneOf.filter(isPlaced) }),
  };
}

/** Whether values are compared and overlaid member by member. */
export function hasMembers({ properties, entries, opaque }: FieldSchema): boolean {
  return !opaque && (properties !== undefined || entries !== undefined);
}

/** The indices of the alternatives of which a value has members. */
export function alternativesOf(schema: FieldSchema, value: { [member: string]: Json }): number[] {
  return (schema.alternatives ?? []).flatMap((group, index) =>
    group.some((member) => Object.hasOwn(value, member) && value[member] !== null) ? [index] : [],
  );
}

/** The paths of all declarable fields, also of elements of lists: `ports.name`. */
export function fieldPaths(schema: FieldSchema, prefix = ""): string[] {
  const { properties } = schema.items ?? schema;
  if (schema.opaque) return [];
  return Object.entries(properties ?? {}).flatMap(([member, inner]) =>
    (inner.place ?? "document") !== "document"
      ? []
      : [prefix + member, ...fieldPaths(inner, `${prefix}${member}.`)],
  );
}

/** The description of a field, to end a message: ` (Memory in MB)`. */
export function about({ description }: FieldSchema): string {
  return description === undefined ? "" : ` (${description.replace(/\.$/, "").replaceAll("`", "")})`;
}

/** Whether a field may contain a hidden value. */
export function mayBeSecret(schema: FieldSchema): boolean {
  const inner = [schema.items, schema.entries, ...Object.values(schema.properties ?? {})];
  const isHidden = schema.neverShown || schema.mayHoldToken || schema.hiddenWhen !== undefined;
  return isHidden === true || inner.some((each) => each !== undefined && mayBeSecret(each));
}
