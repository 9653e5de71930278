import type { FieldChange } from "../../core/model/fields/compare.ts";
import { rewritingSigns } from "../../core/model/fields/normalization.ts";
import { type Fields, type Json, isFields, own, textIn, valueAt } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import type { WriteResult } from "../../core/operations/index.ts";
import { elementLabel } from "../../core/model/schema/elements.ts";
import { type FieldSchema, memberOf } from "../../core/model/schema/field-schema.ts";
import type { Path } from "../../core/source/mistake.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import { camelCase } from "./casing.ts";
import { type Properties, fieldsAmong } from "./inputs.ts";
import { pointerOf } from "./internal.ts";
import { formatPropertyPath, parsePropertyPath } from "./property-path.ts";
import { Secrets } from "./secrets.ts";
import { showMembers } from "./words.ts";

export interface PropertyChange {
  /** In the notation of Pulumi: `source.image.tag`, `ports[0].internalPort`, `variables["app.port"]`. */
  path: string;
  how: "add" | "update" | "delete";
  /** Why the resource has to be replaced; absent: an update is enough. */
  replaces?: string;
  /** Whether the former value is in the former inputs; otherwise it is in the outputs. */
  isOfInputs: boolean;
}

/** The properties of a resource before and after a change. */
export interface Versions {
  oldInputs: Properties;
  oldOutputs: Properties;
  inputs: Properties;
}

export function detailsOf(kind: Kind, changes: readonly FieldChange[], versions: Versions): PropertyChange[] {
  const { oldInputs, oldOutputs, inputs } = versions;
  const sides = [inputs, oldInputs, oldOutputs].map((properties) => fieldsAmong(kind, properties));
  const byPath = new Map<string, PropertyChange>();
  for (const { path, before, replaces } of changes) {
    const { place, values } = placeOf(kind.fields, path, sides);
    const { how, isOfInputs } = natureOf(place, values, before, versions);
    const text = formatPropertyPath(place);
    // In a set, a removed element can have the index of an added one.
    const other = byPath.get(text);
    byPath.set(text, {
      path: text,
      how: other && other.how !== how ? "update" : how,
      isOfInputs,
      ...(replaces !== undefined && { replaces }),
    });
  }
  // The marker for writing a value again has the place of that value.
  const places = [...byPath.keys()];
  return [...byPath.values()].filter(
    ({ path }) => !places.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`)),
  );
}

const verbs = { add: "is added", update: "changes", delete: "is removed" } as const;

/** The changes of secrets, whose values a preview hides: `secrets.API_KEY of the Job "nightly" changes`. */
export function secretChanges(
  kind: Kind,
  changes: readonly FieldChange[],
  versions: Versions,
  secrets: Secrets,
): string[] {
  const owner = `the ${kind.name} "${textIn(versions.inputs, "name") ?? ""}"`;
  return detailsOf(kind, changes, versions)
    .filter(({ path }) => secrets.has(pointerOf(parsePropertyPath(path))))
    .map(({ path, how }) => `${path} of ${owner} ${verbs[how]}`);
}

/** Whether a property is added, changed or removed, and whether the former value is an input or an output. */
function natureOf(
  place: Path,
  [now, then]: readonly Json[],
  before: Json | undefined,
  { oldInputs, inputs }: Versions,
): Pick<PropertyChange, "how" | "isOfInputs"> {
  // An index belongs to one side; another side may have another element there.
  const isElement = place.some((part) => typeof part === "number");
  const is = isElement ? (now ?? null) !== null : has(inputs, place);
  const was = isElement ? (then ?? null) !== null : has(oldInputs, place);
  if (is && was) return { how: "update", isOfInputs: true };
  if (is)
    return before === undefined ? { how: "add", isOfInputs: true } : { how: "update", isOfInputs: false };
  return was ? { how: "delete", isOfInputs: true } : { how: "update", isOfInputs: false };
}

/**
 * The path of a changed field in a program: camelCase members, and elements of lists by index. It ends early where the
 * program has no such member.
 *
 * @param sides the fields of the versions; the first that has an element decides on its index
 * @returns the path, and the value of each side there
 */
function placeOf(
  top: FieldSchema,
  path: readonly string[],
  sides: readonly Json[],
): { place: Path; values: readonly Json[] } {
  const place: (string | number)[] = [];
  let schema = top;
  let values = sides;
  for (const part of path) {
    if (part.startsWith("[") && schema.items) {
      const list = schema;
      const indices = values.map((value) => indexIn(list, part.slice(1, -1), value));
      const index = indices.find((each) => each >= 0);
      if (index === undefined) return { place, values };
      place.push(index);
      values = values.map(
        (value, side) => (Array.isArray(value) ? value[indices[side] ?? -1] : null) ?? null,
      );
      schema = schema.items;
    } else {
      const inner: FieldSchema = memberOf(schema, part) ?? {};
      if (inner.place === "engine") return { place, values };
      place.push(schema.entries ? part : camelCase(part));
      values = values.map((value) => (isFields(value) ? own(value, part) : undefined) ?? null);
      schema = inner;
    }
  }
  return { place, values };
}

/** -1: there is none. */
function indexIn(schema: FieldSchema, label: string, list: Json): number {
  return Array.isArray(list) ? list.findIndex((element) => elementLabel(schema, element) === label) : -1;
}

function has(properties: Fields, path: Path): boolean {
  return (valueAt(properties, path) ?? null) !== null;
}

/** Warns of properties that the server seems to normalize, so that every `pulumi up` changes them again. */
export function doubtsAbout(kind: Kind, name: string, changes: readonly FieldChange[]): string[] {
  const doubted = changes.flatMap(({ path, normalized, after }) =>
    normalized === undefined || hasUnknown(after)
      ? []
      : [`${showMembers(kind, path)} (${rewritingSigns[normalized]})`],
  );
  if (doubted.length === 0) return [];
  return [
    escapeControl(
      `the server may not keep these properties of the ${kind.name} "${name}" as the program declares them: ${doubted.join(", ")}. If every \`pulumi up\` updates them again, declare the value that the server has, or use \`ignoreChanges\``,
    ),
  ];
}

/**
 * Warns of properties whose values in the answer differ from those that were sent. Shows no values of secret inputs,
 * because a changed value may still reveal the secret.
 */
export function normalizedBy(
  kind: Kind,
  news: Properties,
  normalized: WriteResult["normalized"] = [],
): string[] {
  if (normalized.length === 0) return [];
  const { areNone } = new Secrets(news);
  const fields = normalized.map(({ path, sent, kept }) =>
    kept === undefined && sent !== undefined
      ? `its answer does not have ${showMembers(kind, path)}`
      : areNone
        ? `it kept ${show(kept)} instead of ${show(sent)} for ${showMembers(kind, path)}`
        : `it kept another value of ${showMembers(kind, path)}`,
  );
  return [
    escapeControl(
      `the server did not keep all values of the ${kind.name} "${String(news["name"])}": ${fields.join("; ")}. The next \`pulumi up\` will update it again; declare the value that the server has, or use \`ignoreChanges\``,
    ),
  ];
}

function show(value: Json | undefined): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 60);
}
