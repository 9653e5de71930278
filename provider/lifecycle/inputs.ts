import { withoutShortForms } from "../../core/model/fields/short-form.ts";
import { type Fields, type Json, isFields, own, textIn } from "../../core/values/json.ts";
import { type Kind, outputFormats } from "../../core/model/kinds/index.ts";
import { staysInParent } from "../../core/rules/place.ts";
import { type FieldSchema, memberOf, schemaFor } from "../../core/model/schema/field-schema.ts";
import type { Formats } from "../../core/model/schema/format.ts";
import { plainFormats } from "../../core/model/schema/formats.ts";
import type { Path } from "../../core/source/mistake.ts";
import { camelCase, camelSchema, toSnake } from "./casing.ts";
import { ignoredProperty, timeoutsProperty } from "./internal.ts";
import { ignoredPaths } from "./property-path.ts";
import { shapeOf } from "../../core/model/fields/shape.ts";

/** Inputs, outputs and other properties of a resource, in camelCase. */
export type Properties = Fields;

/** Whether infrasync or the engine has added a property, which is never shown or sent. */
export const isInternal = (property: string): boolean => property.startsWith("__");

/** The engine's additions to the inputs. It expects them in the outputs, but loses them when an action fails. */
export function engineProperties(news: Properties): Properties {
  return Object.fromEntries(Object.entries(news).filter(([property]) => isInternal(property)));
}

/** The inputs that are not fields of the resource: its parent, its name and the way of its creation. */
export function ownInputs(kind: Kind): Record<string, FieldSchema> {
  const { name, parent, parentMember } = kind;
  return {
    ...(parent &&
      parentMember !== undefined && {
        [parentMember]: {
          type: "string",
          format: "uuid",
          description: `Id of its ${parent.name}.`,
          immutable: staysInParent(kind),
        },
      }),
    name: {
      type: "string",
      format: kind.names?.format ?? "name",
      description: "Name. Names that differ only by case are the same.",
      ...(kind.names?.immutable !== undefined && { immutable: kind.names.immutable }),
    },
    ...(kind.clone && {
      cloneFrom: {
        type: "string",
        format: "uuid",
        description: `Id of the ${name} to clone when it is created; the other inputs override fields of the clone. A later change has no effect.`,
      },
    }),
    ...(isCreated(kind) && {
      adopt: {
        type: "boolean",
        description: `Whether a creation adopts an existing ${name} of that name instead of failing.`,
      },
      adoptId: {
        type: "string",
        format: "uuid",
        description: `Id of an existing ${name} that a creation adopts.`,
      },
    }),
    ...(kind.deletion?.takesContents && {
      deleteContents: {
        type: "boolean",
        description: `Whether a deletion or a replacement also deletes the remaining contents of the ${name}. Otherwise such a deletion is refused.`,
      },
    }),
  };
}

/** Whether resources of a kind are created and deleted. Initial resources are adopted, and stay. */
export function isCreated({ use }: Kind): boolean {
  return use !== "settings";
}

export function inputSchema(kind: Kind): FieldSchema {
  const parent = kind.parentMember === undefined ? [] : [kind.parentMember];
  const fields = programSchema(kind);
  return {
    ...fields,
    properties: { ...ownInputs(kind), ...fields.properties },
    required: [...parent, "name"],
  };
}

export function programSchema(kind: Kind): FieldSchema {
  return camelSchema(schemaFor(kind.fields, "program"));
}

/** Inputs without internal properties and nulls. A reference `{id, name}`, an output, becomes the id. */
export function cleanInputs(schema: FieldSchema, news: Properties): Properties {
  const declared = Object.entries(news).filter(([property]) => !isInternal(property));
  const clean = cleanValue(schema, Object.fromEntries(declared));
  return isFields(clean) ? withoutShortForms(schema, clean) : {};
}

function cleanValue(schema: FieldSchema, value: Json): Json {
  const { items, opaque, reference } = schema;
  if (opaque) return value;
  if (Array.isArray(value)) return value.map((element) => cleanValue(items ?? {}, element));
  if (!isFields(value)) return value;
  if (reference !== undefined) return value["id"] ?? value["name"] ?? value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, part]) =>
      part === null ? [] : [[member, cleanValue(memberOf(schema, member) ?? {}, part)]],
    ),
  );
}

/** How a program makes and deletes a resource. Inputs declare it, and outputs keep it. */
export interface CreationOptions {
  cloneFrom: string | undefined;
  adopt: boolean;
  adoptId: string | undefined;
  deleteContents: boolean;
}

export function optionsIn(properties: Properties): CreationOptions {
  return {
    cloneFrom: textIn(properties, "cloneFrom"),
    adopt: properties["adopt"] === true,
    adoptId: textIn(properties, "adoptId"),
    deleteContents: properties["deleteContents"] === true,
  };
}

/** Whether a creation adopts a resource that exists already. */
export function mayBeThere({ adopt, adoptId }: CreationOptions, settings: { adopt: boolean }): boolean {
  return adopt || settings.adopt || adoptId !== undefined;
}

/** Inputs in the form of the planner. */
export interface ParsedInputs extends CreationOptions {
  name: string;
  /** Undefined: the organization. */
  parentId: string | undefined;
  /** In manifest form, completed by the kind; references are names or ids. */
  fields: Fields;
  /** The shape of the declared fields. */
  shape: Json;
  /** The paths of fields, in manifest form, that keep their live values in an update. */
  ignored: readonly Path[];
}

export function readInputs(kind: Kind, news: Properties): ParsedInputs {
  const inputs = cleanInputs(inputSchema(kind), news);
  const fields = fieldsAmong(kind, inputs);
  return {
    name: String(inputs["name"]),
    parentId: kind.parentMember === undefined ? undefined : String(inputs[kind.parentMember]),
    fields: kind.form?.complete?.(fields) ?? fields,
    shape: shapeOf(kind.fields, fields),
    ...optionsIn(inputs),
    ignored: ignoredPaths(kind, news[ignoredProperty]),
  };
}

export function fieldsAmong(kind: Kind, properties: Properties): Fields {
  const known = new Set(Object.keys(kind.fields.properties ?? {}).map(camelCase));
  const its = Object.entries(properties).filter(([property]) => known.has(property));
  const fields = toSnake(kind.fields, Object.fromEntries(its));
  return isFields(fields) ? fields : {};
}

export const inputFormats: Formats = { ...plainFormats, ...outputFormats() };

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds that `customTimeouts` gives an operation; undefined: none. */
export function limitIn(
  { [timeoutsProperty]: given }: Properties,
  operation: "create" | "update" | "delete",
): number | undefined {
  const text = isFields(given) ? own(given, operation) : undefined;
  if (typeof text !== "string") return undefined;
  const parts = text.matchAll(/(?<amount>\d+(?:\.\d+)?)(?<unit>ms|[smhd])/g);
  const times = [...parts].map(
    ({ groups = {} }) => Number(groups["amount"]) * (units[groups["unit"] ?? ""] ?? 0),
  );
  return times.length === 0 ? undefined : times.reduce((sum, each) => sum + each);
}

/** `customTimeouts` as an output, because a deletion gets only the outputs. */
export function timeoutsIn({ [timeoutsProperty]: given }: Properties): Properties {
  return isFields(given) ? { [timeoutsProperty]: given } : {};
}
