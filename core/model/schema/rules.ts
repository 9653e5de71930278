import { inSentence } from "../../values/text.ts";
import { elementKey, elementLabel } from "./elements.ts";
import { isFields, type Fields, type Json, mapFields, mapList, once, own } from "../../values/json.ts";
import { nameKey } from "../addresses/names.ts";
import { about, type FieldSchema, hasMembers, memberOf, propertiesOf } from "./field-schema.ts";
import { type DocumentMistake, type Path, quote, show, showPath } from "../../source/mistake.ts";

/** Applies the annotations that JSON Schema cannot express, and returns the value without the nulls that reset a field. */
export function applyRules(schema: FieldSchema, value: Json, path: Path, mistakes: DocumentMistake[]): Json {
  if (schema.opaque) return value;
  if (typeof value === "string") mistakes.push(...tooLong(schema, value, path));
  if (isFields(value) && hasMembers(schema)) return applyToMembers(schema, value, path, mistakes);
  const { items } = schema;
  if (!items || !Array.isArray(value)) return value;
  if (schema.set) mistakes.push(...repetitions(schema, value, path));
  return mapList(value, (element, index) => applyRules(items, element, [...path, index], mistakes));
}

function applyToMembers(
  schema: FieldSchema,
  fields: Fields,
  path: Path,
  mistakes: DocumentMistake[],
): Fields {
  const clash = exclusion(schema, fields, path);
  if (clash) mistakes.push(clash);
  mistakes.push(...wrongKeys(schema, fields, path), ...tooMany(schema, fields, path));
  if (path.length > 0 && Object.keys(fields).length === 0) mistakes.push(...statesNothing(schema, path));
  return mapFields(fields, (value, member) => {
    const memberSchema = memberOf(schema, member);
    if (!memberSchema || hasNoRules(memberSchema, value)) return value;
    const memberPath = [...path, member];
    if (value === null && !schema.required?.includes(member)) {
      if (memberSchema.resettable === false) mistakes.push(notResettable(memberPath));
      return undefined;
    }
    return applyRules(memberSchema, value, memberPath, mistakes);
  });
}

/** Whether no rule of this file concerns a value: most values are numbers and texts, and need no path. */
function hasNoRules({ maxBytes }: FieldSchema, value: Json): boolean {
  return typeof value === "string" ? maxBytes === undefined : typeof value !== "object";
}

/** An empty mapping that needs one of several members. */
function statesNothing(schema: FieldSchema, path: Path): DocumentMistake[] {
  const { needsOneOf = [], properties = {} } = schema;
  const members = needsOneOf.filter((member) => (properties[member]?.place ?? "document") === "document");
  if (members.length === 0) return [];
  return [
    {
      path,
      at: "key",
      message: `${showPath(path)} is empty`,
      advice: `declare ${inSentence(members, "or")}, or leave ${showPath(path)} out`,
    },
  ];
}

/** Numbers above their limit in another member. */
function tooMany(schema: FieldSchema, fields: Fields, path: Path): DocumentMistake[] {
  return limited(schema).flatMap(([member, notAbove]) => {
    const [value, limit] = [own(fields, member), own(fields, notAbove)];
    if (typeof value !== "number" || typeof limit !== "number" || limit === -1 || value <= limit) return [];
    return [
      {
        path: [...path, member],
        at: "key",
        message: `${showPath([...path, member])} is more than ${notAbove}`,
        advice: `raise ${notAbove}, or lower ${member}`,
      },
    ];
  });
}

/** The members with a limit in another one, each with its name. */
const limited = once((schema: FieldSchema) =>
  propertiesOf(schema).flatMap(([member, { notAbove }]) =>
    notAbove === undefined ? [] : [[member, notAbove] as const],
  ),
);

function notResettable(path: Path): DocumentMistake {
  return {
    path,
    at: "key",
    message: `${showPath(path)} cannot be reset: the API documents no default for it`,
    advice: "declare a value, or leave the field out",
  };
}

/** Keys that the API would refuse. */
function wrongKeys({ keys }: FieldSchema, fields: Fields, path: Path): DocumentMistake[] {
  if (!keys) return [];
  const pattern = new RegExp(keys.pattern, "u");
  return Object.keys(fields)
    .filter((key) => !pattern.test(key))
    .map((key) => ({
      path: [...path, key],
      at: "key",
      message: `${showPath(path)}: ${quote(key)} ${keys.message}`,
      advice: key.includes("${")
        ? "write the key itself: variables are replaced only in values"
        : keys.advice,
    }));
}

function tooLong({ maxBytes }: FieldSchema, text: string, path: Path): DocumentMistake[] {
  if (maxBytes === undefined) return [];
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return [];
  return [
    {
      path,
      at: "value",
      message: `${showPath(path)} has ${bytes} bytes, more than ${maxBytes}`,
      advice: "shorten it",
    },
  ];
}

function exclusion(schema: FieldSchema, fields: Fields, path: Path): DocumentMistake | undefined {
  const { alternatives } = schema;
  if (!alternatives) return undefined;
  const declared = Object.keys(fields).filter((member) => fields[member] !== null);
  const alternativeOf = (member: string) => alternatives.findIndex((group) => group.includes(member));
  const [first, ...others] = declared.filter((member) => alternativeOf(member) >= 0);
  const second = first && others.find((member) => alternativeOf(member) !== alternativeOf(first));
  return first && second
    ? {
        path: [...path, second],
        at: "key",
        message: `${showPath([...path, first])} and ${showPath([...path, second])} exclude each other`,
        advice: `keep one of them${about(schema)}`,
      }
    : undefined;
}

function repetitions(schema: FieldSchema, elements: Json[], path: Path): DocumentMistake[] {
  const seen = new Map<string, number>();
  return elements.flatMap((element, index) => {
    if (!hasKey(schema, element)) return [];
    const key = elementKey(schema, inOneCase(schema, element));
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      return [];
    }
    const members = schema.set ?? [];
    const same = members.length === 0 ? "is the same as" : `has the same ${inSentence(members)} as`;
    return [
      {
        path: [...path, index],
        at: "value",
        message: `${showPath([...path, index])} ${same} ${showPath([...path, first])}: ${show(elementLabel(schema, element))}`,
        advice: "write each element once",
      },
    ];
  });
}

/** An element with all references in lower case, because names are case insensitive. */
function inOneCase({ items = {} }: FieldSchema, element: Json): Json {
  const named = (inner: FieldSchema | undefined, value: Json): Json =>
    inner?.reference !== undefined && typeof value === "string" ? nameKey(value) : value;
  return isFields(element)
    ? mapFields(element, (value, member) => named(memberOf(items, member), value))
    : named(items, element);
}

/** Whether an element has its key members; otherwise that is a mistake of its own. */
function hasKey(schema: FieldSchema, element: Json): boolean {
  if (!isFields(element)) return schema.set?.length === 0 && typeof element === "string";
  return (schema.items?.required ?? []).every((member) => own(element, member) !== undefined);
}
