import { listedEntries } from "../../core/model/fields/list-entries.ts";
import { withoutElementIds } from "../../core/model/fields/overlay.ts";
import { withNamesFrom } from "../../core/model/fields/references.ts";
import {
  type Fields,
  type Json,
  isFields,
  mapValues,
  own,
  parsedJson,
  textIn,
} from "../../core/values/json.ts";
import type { FieldSchema, Kind } from "../../core/model/kinds/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { withLastSecrets } from "../../core/secrets/index.ts";
import { camelCase, camelMembers, camelSchema, toCamel } from "./casing.ts";
import { type CreationOptions, isInternal, optionsIn, type ParsedInputs, type Properties } from "./inputs.ts";
import { declaredForm } from "../../core/model/fields/shape.ts";

/** Data about the inputs in the outputs, beside the properties that a program sees. */
export interface StoredInputs extends CreationOptions {
  shape: Json;
  /** The resource was created, or a clone was requested, but a later step is missing. */
  isUnfinished: boolean;
  /** The creation was requested; its outcome and the id are unknown. */
  isUnclear: boolean;
}

export function memoryOf(declared: ParsedInputs): StoredInputs {
  return { ...declared, isUnfinished: false, isUnclear: false };
}

function declaredOptions({ cloneFrom, adopt, adoptId, deleteContents }: CreationOptions): Properties {
  return {
    ...(cloneFrom !== undefined && { cloneFrom }),
    ...(adopt && { adopt }),
    ...(adoptId !== undefined && { adoptId }),
    ...(deleteContents && { deleteContents }),
  };
}

/** A live resource and the API's reports about its parts, by member. */
export interface ReportedResource extends LiveResource {
  reports?: Fields;
}

/** Outputs that the API reports beside the fields, in camelCase. */
export function reportedOutputs(kind: Kind): Record<string, FieldSchema> {
  return {
    ...camelMembers(kind.reports),
    ...camelMembers(mapValues(schemasOfPartReports(kind), camelSchema)),
    ...(kind.parent === undefined && {
      organization: { type: "string", description: `Id of its organization.` },
    }),
    ...(!kind.isUndated && { createdAt: { type: "string", description: "When it was created." } }),
  };
}

/** The members of reports about parts: an object for each, by the keys of the parts. */
function schemasOfPartReports({ parts }: Kind): Record<string, FieldSchema> {
  const reported = parts.flatMap(({ reports = [] }) => reports);
  return Object.fromEntries(
    reported.map(({ member, description, schema }) => [
      member,
      { type: "object", description, entries: schema },
    ]),
  );
}

/** The outputs of a live resource: its fields, references as `{id, name?}`, and the other reported members. */
export function outputsOf(live: ReportedResource, memory: StoredInputs, known: Fields = {}): Properties {
  const { kind, response, reports = {} } = live;
  const shown = withNamesFrom(kind.fields, withoutElementIds(kind.fields, live.fields), known);
  const fields = withLastSecrets(kind.fields, shown, known);
  const camel = toCamel(kind.fields, fields);
  const reported = Object.keys(kind.reports).flatMap((member) => pick(response, member, camelCase(member)));
  return {
    ...defaultsOf(kind),
    ...(isFields(camel) && camel),
    ...camelMembers(
      mapValues(schemasOfPartReports(kind), (schema, member) => toCamel(schema, own(reports, member) ?? {})),
    ),
    ...Object.fromEntries([...reported, ...pick(response, "created_at", "createdAt")]),
    ...memoryOutputs(kind, live.name, live.parentId, memory),
  };
}

/** The outputs of a listed resource: those without a request of their own. */
export function listedOutputs(live: LiveResource): Properties {
  const left = new Set(unlistedOutputs(live.kind));
  return Object.fromEntries(
    Object.entries(outputsOf(live, recall({}))).filter(
      ([output]) => !left.has(output) && !isInternal(output),
    ),
  );
}

/** Outputs that a list lacks: parts and their reports, with requests of their own, and outputs for the provider. */
export function unlistedOutputs(kind: Kind): string[] {
  const fields = Object.entries(kind.fields.properties ?? {});
  const left = fields.filter(([, { part, place }]) => part || place === "engine");
  return [...left.map(([member]) => member), ...Object.keys(schemasOfPartReports(kind))].map(camelCase);
}

/** The defaults of fields, for a server that omits fields. */
function defaultsOf(kind: Kind): Properties {
  return Object.fromEntries(
    Object.entries(kind.fields.properties ?? {}).flatMap(([member, schema]) =>
      schema.default === undefined ? [] : [[camelCase(member), listedEntries(schema, schema.default)]],
    ),
  );
}

/** The outputs of a resource that cannot be read yet: only the data about its inputs. */
export function memoryOutputs(kind: Kind, name: string, parentId: string, memory: StoredInputs): Properties {
  const { shape, isUnfinished, isUnclear } = memory;
  return {
    name,
    [parentProperty(kind)]: parentId,
    ...declaredOptions(memory),
    // A text, because a stored state has a line of its own for each member of an object.
    __stated: JSON.stringify(shape),
    ...(isUnfinished && { __unfinished: true }),
    ...(isUnclear && { __unclear: true }),
  };
}

/** The property of the parent: `environment`; `organization` for a kind without a parent kind. */
export function parentProperty(kind: Kind): string {
  return kind.parentMember ?? "organization";
}

export function placeIn(kind: Kind, olds: Properties): { kind: Kind; parentId?: string; name?: string } {
  const [parentId, name] = [textIn(olds, parentProperty(kind)), textIn(olds, "name")];
  return { kind, ...(parentId !== undefined && { parentId }), ...(name !== undefined && { name }) };
}

export function recall(olds: Properties): StoredInputs {
  return {
    shape: shapeIn(textIn(olds, "__stated")),
    ...optionsIn(olds),
    isUnfinished: olds["__unfinished"] === true,
    isUnclear: olds["__unclear"] === true,
  };
}

/** A damaged state gives the shape of no declared fields. */
function shapeIn(text = "{}"): Json {
  const shape = parsedJson(text);
  return isFields(shape) ? shape : {};
}

/** The inputs that declare a live resource, limited to the declared members. */
export function inputsOf(live: LiveResource, memory: StoredInputs): Properties {
  const { kind } = live;
  const form = toCamel(kind.fields, declaredForm(kind.fields, live.fields, memory.shape) ?? {});
  return {
    ...(isFields(form) && form),
    name: live.name,
    ...(kind.parentMember !== undefined && { [kind.parentMember]: live.parentId }),
    ...declaredOptions(memory),
  };
}

function pick(response: Fields, member: string, property: string): [string, Json][] {
  const value = own(response, member);
  return value === undefined || value === null ? [] : [[property, value]];
}

/** The output with the value that the API shows once; it is secret, and missing for an adopted resource. */
export function shownOutput({ name, shownOnce }: Kind): Record<string, FieldSchema> {
  if (shownOnce === undefined) return {};
  const description = `Secret value. The API shows it once, so it is missing if the ${name} was adopted or imported.`;
  return { [camelCase(shownOnce)]: { type: "string", description, secret: true } };
}

/** The outputs with the value that the API shows once, from a creation or the state. */
export function withShown(kind: Kind, outs: Properties, value: string | undefined): Properties {
  return value === undefined ? outs : { ...outs, [camelCase(kind.shownOnce ?? "")]: value };
}

/** The value that the API showed once, from the state; undefined: it has none. */
export function shownIn({ shownOnce }: Kind, olds: Properties): string | undefined {
  return shownOnce === undefined ? undefined : textIn(olds, camelCase(shownOnce));
}
