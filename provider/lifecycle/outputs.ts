import { withoutElementIds } from "../../core/fields/overlay.ts";
import { type Fields, isFields, type Json, own } from "../../core/json.ts";
import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { camelCase, toCamel } from "./casing.ts";
import { type Properties, type StatedInputs, textOf } from "./inputs.ts";
import { statedForm } from "./shape.ts";

/** What outputs remember of the inputs, beside the properties that a program sees. */
export interface Memory {
  /** The shape of the fields that the program states. */
  shape: Json;
  /** The source that the resource was cloned from. */
  cloneFrom: string | undefined;
  adopt: boolean;
  adoptId: string | undefined;
  /** It has been made, or a clone has been requested, and what was to follow has not been done. */
  isUnfinished: boolean;
  /** The request that makes it was sent, and what became of it is not known; nor is its id. */
  isUnclear: boolean;
}

/** What outputs remember once the inputs are carried out. */
export function memoryOf({ shape, cloneFrom, adopt, adoptId }: StatedInputs): Memory {
  return { shape, cloneFrom, adopt, adoptId, isUnfinished: false, isUnclear: false };
}

/** Outputs that the API reports beside the fields, in camelCase. */
export function reportedOutputs(kind: Kind): Record<string, FieldSchema> {
  return {
    ...Object.fromEntries(
      Object.entries(kind.reports).map(([member, schema]) => [camelCase(member), schema]),
    ),
    ...(kind.parent === undefined && {
      organization: { type: "string", description: `Id of the organization that holds it.` },
    }),
    createdAt: { type: "string", description: "When it was created." },
  };
}

/** The outputs of a live resource: all its fields, references as `{id, name?}`, and what else the API reports. */
export function outputsOf(live: LiveResource, memory: Memory, known: Fields = {}): Properties {
  const { kind, response } = live;
  const fields = withKnownNames(kind.fields, withoutElementIds(kind.fields, live.fields), known);
  const camel = toCamel(kind.fields, fields);
  const reported = Object.keys(kind.reports).flatMap((member) => pick(response, member, camelCase(member)));
  return {
    ...defaultsOf(kind),
    ...(isFields(camel) && camel),
    ...Object.fromEntries([...reported, ...pick(response, "created_at", "createdAt")]),
    name: live.name,
    [parentProperty(kind)]: live.parentId,
    ...remember(memory),
  };
}

/** What a field is that a server leaves out of its answers. */
function defaultsOf(kind: Kind): Properties {
  return Object.fromEntries(
    Object.entries(kind.fields.properties ?? {}).flatMap(([member, schema]) =>
      schema.default === undefined ? [] : [[camelCase(member), schema.default]],
    ),
  );
}

/** Outputs of what cannot be read yet: what is remembered of it alone. */
export function memoryOutputs(kind: Kind, name: string, parentId: string, memory: Memory): Properties {
  return { name, [parentProperty(kind)]: parentId, ...remember(memory) };
}

/** The property that names the parent: `environment`; `organization` for what has no parent of a kind. */
export function parentProperty(kind: Kind): string {
  return kind.parentMember ?? "organization";
}

function remember({ shape, cloneFrom, adopt, adoptId, isUnfinished, isUnclear }: Memory): Properties {
  return {
    ...(cloneFrom !== undefined && { cloneFrom }),
    ...(adopt && { adopt }),
    ...(adoptId !== undefined && { adoptId }),
    __stated: shape,
    ...(isUnfinished && { __unfinished: true }),
    ...(isUnclear && { __unclear: true }),
  };
}

/** What outputs remember. */
export function recall(olds: Properties): Memory {
  return {
    shape: olds["__stated"] ?? {},
    cloneFrom: textOf(olds, "cloneFrom"),
    adopt: olds["adopt"] === true,
    adoptId: textOf(olds, "adoptId"),
    isUnfinished: olds["__unfinished"] === true,
    isUnclear: olds["__unclear"] === true,
  };
}

/** What a program would state to mean a live resource, of what it states now. */
export function inputsOf(live: LiveResource, { shape, cloneFrom, adopt, adoptId }: Memory): Properties {
  const { kind } = live;
  const form = toCamel(kind.fields, statedForm(kind.fields, live.fields, shape) ?? {});
  return {
    ...(isFields(form) && form),
    name: live.name,
    ...(kind.parentMember !== undefined && { [kind.parentMember]: live.parentId }),
    ...(cloneFrom !== undefined && { cloneFrom }),
    ...(adopt && { adopt }),
    ...(adoptId !== undefined && { adoptId }),
  };
}

function pick(response: Fields, member: string, property: string): [string, Json][] {
  const value = own(response, member);
  return value === undefined || value === null ? [] : [[property, value]];
}

/** A server may answer with the id of a reference alone: then the name is kept, as long as the id is the same. */
export function withKnownNames(schema: FieldSchema, fields: Fields, known: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([member, value]) => {
      const inner = own(schema.properties ?? {}, member) ?? {};
      return [member, withKnownNamesInside(inner, value, own(known, member))];
    }),
  );
}

function withKnownNamesInside(schema: FieldSchema, value: Json, known: Json | undefined): Json {
  if (schema.reference !== undefined) return named(value, [known ?? null]);
  if (schema.items?.reference !== undefined && Array.isArray(value)) {
    return value.map((element) => named(element, Array.isArray(known) ? known : []));
  }
  return schema.properties && !schema.opaque && isFields(value) && isFields(known)
    ? withKnownNames(schema, value, known)
    : value;
}

function named(value: Json, known: Json[]): Json {
  if (!isFields(value) || value["name"] !== undefined) return value;
  return known.find((other) => isFields(other) && other["id"] === value["id"]) ?? value;
}
