import { inSentence, article } from "../../values/text.ts";
import type { Json } from "../../values/json.ts";
import {
  describeOutputs,
  type Kind,
  kindAdvice,
  kindCalled,
  kindNames,
  kinds,
  referenceForm,
} from "../../model/kinds/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { choice, object, text } from "../../model/schema/field.ts";
import { fieldPaths, type FieldSchema, memberOf } from "../../model/schema/field-schema.ts";
import { nearest } from "../../model/schema/suggest.ts";
import { templateKind } from "../../source/document.ts";
import { documentSchema } from "./document-schema.ts";
import { templateSchema } from "./template-schema.ts";
import { defaultsKind, everyKind, scopeKinds } from "./validate-defaults.ts";

export interface FieldHelp {
  kind: string;
  /** `schedule.cronjob`; empty for the kind itself. */
  path: string;
  /** `text`, `integer from 1 to 65535`, `mapping`, `list of mappings`. */
  type: string;
  values: readonly Json[];
  description: string;
  default: Json | undefined;
  isNeeded: boolean;
  /** Why a change replaces the resource. */
  replaces: string | undefined;
  /** The effect of `null`: it gives the default, removes the value, or is a mistake. */
  reset: "default" | "removes" | "mistake";
  /** Further rules: alternatives, keys of elements. */
  remarks: readonly string[];
  members: readonly Pick<FieldHelp, "path" | "type" | "description" | "isNeeded">[];
}

/** Explains a kind or a field: `job.schedule.cronjob`. Lists need no step of their own; free keys can be any key. */
export function fieldHelp(query: string): { help: FieldHelp } | { problem: Problem } {
  const [first = "", ...members] = query.split(".");
  const kind = special.find(({ slug }) => slug === first.toLowerCase()) ?? kindCalled(first);
  if (!kind) {
    const names = [...kindNames, ...special.map(({ name }) => name)].toSorted();
    const advice = kindAdvice(first, names).replace(
      /\?$/,
      `${members.map((member) => `.${member}`).join("")}?`,
    );
    return { problem: { code: "argument", message: `"${first}" is not a kind`, advice } };
  }
  let at: SchemaStep = {
    schema: "fields" in kind ? documentSchema(kind) : kind.schema,
    isNeeded: false,
    immutable: undefined,
    alternative: undefined,
  };
  const path: string[] = [];
  for (const [index, member] of members.entries()) {
    const next = stepInto(at, member);
    if (!next) {
      const where = [kind.slug, ...path].join(".");
      const known = membersOf(at.schema).map(([name]) => name);
      const deeper = "fields" in kind ? fieldPaths(kind.fields) : [];
      const meant = deeper.find(
        (one) => one.startsWith([...path, ""].join(".")) && one.endsWith(`.${member}`),
      );
      const near = nearest(member, known);
      const likely = near === undefined ? meant && [kind.slug, meant] : [where, near];
      const others = known.length === 0 ? "it is not a mapping" : `its fields: ${known.join(", ")}`;
      const advice = likely ? `did you mean ${[...likely, ...members.slice(index + 1)].join(".")}?` : others;
      return { problem: { code: "argument", message: `${where} has no field "${member}"`, advice } };
    }
    // The names of settings have dots.
    const isFree = inside(at.schema).entries?.opaque === true;
    at = next;
    path.push(isFree ? members.slice(index).join(".") : member);
    if (isFree) break;
  }
  return { help: helpFor(kind, path.join("."), at) };
}

export function kindsHelp(): FieldHelp {
  const members = [
    ...kinds.map(({ slug, description }) => ({ path: slug, description })),
    ...special.map(({ slug, summary }) => ({ path: slug, description: summary })),
  ].toSorted((one, other) => one.path.localeCompare(other.path));
  return {
    kind: "",
    path: "",
    type: "document",
    values: [],
    description: "The kinds of documents.",
    default: undefined,
    isNeeded: false,
    replaces: undefined,
    reset: "mistake",
    remarks: [],
    members: members.map((one) => ({ ...one, type: "mapping", isNeeded: false })),
  };
}

/** The members of a document of defaults beside the fields of its kinds. */
const defaultsSchema = object(
  "Declares fields for all resources of a project or an environment, as members of the document. A resource gets a field that its own document leaves out. A kind skips the fields that it does not have.",
  {
    kind: choice([defaultsKind], "Marks the document as defaults."),
    ...Object.fromEntries(
      scopeKinds.map((kind) => [
        kind.slug,
        text(`The ${kind.name} that the resources are in: ${referenceForm(kind)}.`),
      ]),
    ),
    for: choice(
      [...kinds.filter(({ parent }) => parent).map(({ name }) => name), everyKind],
      `Kind of the resources, or "${everyKind}" for all kinds that have the fields.`,
    ),
    manage: object("How infrasync treats these resources, as in their own documents.", {}),
  },
  { required: ["kind", "for"] },
);

/** The documents that declare no resource of their own. */
const special = [
  {
    name: defaultsKind,
    slug: "defaults",
    schema: defaultsSchema,
    summary: "Fields for all resources of a project or an environment.",
  },
  {
    name: templateKind,
    slug: "template",
    schema: templateSchema,
    summary: "Documents with parameters, for several similar resources.",
  },
];

/** A schema on the way to a field, with the facts that follow from its parents. */
interface SchemaStep {
  schema: FieldSchema;
  isNeeded: boolean;
  /** Why an update cannot change anything inside. */
  immutable: string | undefined;
  /** Why no update changes it to another alternative. */
  alternative: string | undefined;
}

function inside(schema: FieldSchema): FieldSchema {
  return schema.items ?? schema;
}

/** The members of an object, of the elements of a list, or of the values under free keys. */
function membersOf(schema: FieldSchema): [string, FieldSchema][] {
  const holder = inside(schema);
  const properties = holder.properties ?? holder.entries?.properties ?? {};
  return Object.entries(properties).filter(([, { place }]) => (place ?? "document") === "document");
}

function stepInto({ schema, immutable }: SchemaStep, member: string): SchemaStep | undefined {
  const holder = inside(schema);
  const known = membersOf(schema).find(([name]) => name === member)?.[1];
  const found = known ?? (holder.entries ? memberOf(holder, member) : undefined);
  if (!found) return undefined;
  const owner = known && !holder.properties ? (holder.entries ?? holder) : holder;
  return {
    schema: found,
    isNeeded: isNeededIn(owner, member),
    immutable: found.immutable ?? immutable,
    alternative: alternativeIn(holder, member) ?? found.immutableAlternative,
  };
}

/** Why a change to another alternative replaces the resource, if the member is one of several. */
function alternativeIn(
  { alternatives = [], immutableAlternative }: FieldSchema,
  member: string,
): string | undefined {
  return alternatives.some((group) => group.includes(member)) ? immutableAlternative : undefined;
}

function isNeededIn({ needs, required }: FieldSchema, member: string): boolean {
  return needs?.includes(member) === true || required?.includes(member) === true;
}

function helpFor(
  kind: Pick<Kind, "name">,
  path: string,
  { schema, isNeeded, immutable, alternative }: SchemaStep,
): FieldHelp {
  const { default: fallback, resettable } = schema;
  const isMistake = path === "" || resettable === false || (isNeeded && fallback === undefined);
  const holder = inside(schema);
  const owner = holder.properties ? holder : (holder.entries ?? holder);
  return {
    kind: kind.name,
    path,
    type: typeOf(schema),
    values: (schema.enum ?? schema.items?.enum ?? []) as Json[],
    description: schema.description ?? schema.items?.description ?? "",
    default: fallback,
    isNeeded,
    replaces: immutable,
    reset: isMistake
      ? "mistake"
      : fallback === undefined && schema.type !== undefined
        ? "removes"
        : "default",
    remarks: [
      ...remarksOn(schema),
      ...(alternative === undefined
        ? []
        : [`A change to another alternative replaces the resource: ${alternative}.`]),
    ],
    members: membersOf(schema).map(([name, member]) => ({
      path: name,
      type: typeOf(member),
      description: member.description ?? "",
      isNeeded: isNeededIn(owner, name),
    })),
  };
}

function typeOf(schema: FieldSchema): string {
  if (schema.type === undefined && schema.opaque) return "any value";
  switch (schema.type) {
    case "array":
      return `list of ${schema.items ? typeOf(schema.items).replace(/^(text|mapping|list|integer)/, "$1s") : "texts"}`;
    case "object":
      return schema.entries ? "mapping with free keys" : "mapping";
    case "integer":
      return `integer${rangeOf(schema)}`;
    case "boolean":
      return "true or false";
    default:
      return schema.format === undefined || schema.enum ? "text" : `text (${schema.format})`;
  }
}

/** ` from 1 to 5` */
export function rangeOf({ minimum, maximum }: FieldSchema): string {
  return minimum === undefined ? "" : ` from ${minimum}${maximum === undefined ? "" : ` to ${maximum}`}`;
}

function remarksOn({
  set,
  alternatives,
  needsOneOf,
  sibling,
  reference,
  keys,
  format,
}: FieldSchema): string[] {
  return [
    ...(alternatives
      ? [
          `Declare only one of: ${alternatives
            .filter((group) => group.length > 0)
            .map((group) => group.join(", "))
            .join("; or ")}.`,
        ]
      : []),
    ...(needsOneOf && needsOneOf.length > 0 ? [`Needs ${needsOneOf.join(" or ")}.`] : []),
    ...(set
      ? [
          set.length === 0
            ? "The order does not count."
            : `The order does not count; an element is known by its ${inSentence(set)}.`,
        ]
      : []),
    ...(sibling === undefined ? [] : [`Names ${article(sibling)} in the same parent.`]),
    ...(format === "output" ? [`${describeOutputs().join("; ")}.`] : []),
    ...(reference === undefined ? [] : ["A name or an id of the organization."]),
    ...(keys ? [`Keys match ${keys.pattern}`] : []),
  ];
}
