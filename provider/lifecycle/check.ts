import { type Fields, isFields, type Json, own } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { type DocumentMistake, showPath } from "../../core/source/mistake.ts";
import { partFaults } from "../../core/parts/index.ts";
import { applyRules } from "../../core/schema/rules.ts";
import { plainFormats } from "../../core/schema/formats.ts";
import { checksFor } from "../../core/schema/validator.ts";
import { explain } from "./explain.ts";
import {
  cleanInputs,
  fieldsAmong,
  inputSchema,
  type Properties,
  readInputs,
  type StatedInputs,
} from "./inputs.ts";
import { retainedProperty } from "./internal.ts";
import { objections } from "./possible.ts";
import { pointerOf, Secrets } from "./secrets.ts";
import { hasUnknown, unknownValue } from "./unknown.ts";

/** The checked inputs, and their mistakes. */
export interface Checked {
  inputs: Properties;
  /** The reason names the property, because the engine would print the value of a property in `property`. */
  failures: { property: ""; reason: string }[];
}

/**
 * Checks the inputs of a resource, without a request. Values that are not known yet pass.
 *
 * @param olds the inputs of the existing resource; none for a new one
 */
export function check(kind: Kind, olds: Properties, news: Properties): Checked {
  const inputs = cleanInputs(inputSchema(kind), news);
  const secrets = new Secrets(news);
  const wrong = [
    ...byRules(kind, inputs, secrets),
    ...bySchema(kind, inputs, secrets),
    ...ofParts(kind, inputs),
  ];
  const isNew = Object.keys(olds).length === 0;
  const reasons = wrong.length === 0 && isNew ? forCreation(kind, readInputs(kind, inputs)) : wrong;
  return {
    inputs: {
      ...inputs,
      ...secrets.properties,
      ...(news[retainedProperty] === true && { [retainedProperty]: true }),
    },
    failures: reasons.map((reason) => ({ property: "", reason: secrets.hide(reason) })),
  };
}

/** Reports members that exclude each other, and elements of sets that occur twice. */
function byRules(kind: Kind, inputs: Properties, secrets: Secrets): string[] {
  const mistakes: DocumentMistake[] = [];
  applyRules(inputSchema(kind), inputs, [], mistakes);
  return mistakes.map(({ path, at, message, advice }) => {
    // The only mistake here whose message shows a value is an element that occurs twice.
    const what =
      at === "value" && secrets.touches(pointerOf(path)) ? `${showPath(path)} occurs twice` : message;
    return `${what}; ${advice}`;
  });
}

/** Reports conflicts between the stated parts. */
function ofParts(kind: Kind, inputs: Properties): string[] {
  const fields = fieldsAmong(kind, inputs);
  return partFaults(kind, fields)
    .filter(({ code, path }) => code !== "invalid" || !hasUnknown(valueAt(fields, path)))
    .map(({ message, advice }) => `${message}; ${advice}`);
}

function valueAt(fields: Fields, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, member) => (isFields(value) ? own(value, member) : undefined),
    fields,
  );
}

function bySchema(kind: Kind, inputs: Properties, secrets: Secrets): string[] {
  return checkOf(kind)(inputs)
    .filter(({ data }) => data !== unknownValue)
    .map((error) => explain(kind, error, inputs, secrets));
}

const checkOf = checksFor(inputSchema, () => plainFormats);

/** Reports members that a new resource lacks, and mistakes by the rules of its kind. */
function forCreation(kind: Kind, { fields, cloneFrom, adopt, adoptId }: StatedInputs): string[] {
  const isTakenOver = adopt || adoptId !== undefined;
  if (cloneFrom !== undefined && adoptId !== undefined) {
    return [
      "cloneFrom and adoptId exclude each other: a resource is either cloned or taken over; keep one of them",
    ];
  }
  // A resource that is taken over may already have fields that the program does not state.
  if (isTakenOver) return [];
  return objections(kind, {
    how: cloneFrom === undefined ? "create" : "clone",
    current: undefined,
    stated: fields,
  });
}
