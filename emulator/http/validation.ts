import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";
import { Cron } from "croner";
import { closest, distance } from "fastest-levenshtein";
import type { TSchema } from "typebox";
import { HttpError, invalid } from "../world/errors.ts";

// The schemas are the emulator's own: to check them too takes longer than to compile them.
const common = { allErrors: true, allowUnionTypes: true, meta: false, validateSchema: false };

// Drops unknown members and fills in defaults, as the API does; converts no types.
const ajv = new Ajv({ ...common, useDefaults: true, removeAdditional: "all" });

// Reports unknown members as mistakes.
const strict = new Ajv({ ...common, verbose: true });

for (const each of [ajv, strict]) {
  ajvFormats.default(each, ["uuid", "uri", "date-time", "email"]);
  each.addFormat("uuid or empty", /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})?$/i);
  each.addFormat("cron", { type: "string", validate: isCron });
  each.addFormat("timezone", { type: "string", validate: isTimezone });
}

const compiled = new WeakMap<TSchema, ValidateFunction>();

// Limits the message, because a body can be wrong in 100,000 places.
const MOST_REPORTED = 20;

/** A mistake in a value: `ports[0].internal_port` and `must be integer`; the empty member is the value itself. */
export type Mistake = Record<"member" | "problem", string>;

/** Checks a request body and fills in defaults in place; throws a 400 that lists every wrong member. */
export function validate(schema: TSchema, body: unknown): void {
  refuse(mistakesOf(ajv, schema, body));
}

/** Checks input of the emulator's own interface like `validate`, and also refuses unknown members. */
export function validateStrictly(schema: TSchema, body: unknown): void {
  refuse(strictMistakes(schema, body));
}

/** Checks a member of a request body, whose place the message names. */
export function validateAt(place: string, schema: TSchema, value: unknown): void {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof HttpError) throw invalid(place, error.message);
    throw error;
  }
}

/** A copy of settings with all defaults of their schema. */
export function completed(schema: TSchema, settings: object = {}): object {
  const copy = structuredClone(settings);
  validate(schema, copy);
  return copy;
}

export function strictMistakes(schema: TSchema, body: unknown): Mistake[] {
  return mistakesOf(strict, schema, body);
}

function mistakesOf(validator: Ajv, schema: TSchema, body: unknown): Mistake[] {
  if (body === undefined) throw new HttpError(400, "the request needs a JSON body");
  let isValid = compiled.get(schema);
  if (!isValid) {
    isValid = validator.compile(schema);
    compiled.set(schema, isValid);
  }
  if (isValid(body)) return [];
  return (isValid.errors ?? []).map((error) => ({ member: memberOf(error), problem: problemOf(error) }));
}

function refuse(mistakes: Mistake[]): void {
  if (mistakes.length === 0) return;
  const reported = mistakes
    .slice(0, MOST_REPORTED)
    .map(({ member, problem }) => `${member || "the body"} ${problem}`);
  const rest = mistakes.length - reported.length;
  throw new HttpError(400, [...reported, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; "));
}

/** `ports[0].internal_port` for `/ports/0/internal_port`. */
function memberOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const member = missingProperty ?? additionalProperty;
  return `${error.instancePath}${member === undefined ? "" : `/${member}`}`
    .replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".")
    .replace(/^\./, "");
}

function problemOf(error: ErrorObject): string {
  if (error.keyword === "required") return "is required";
  if (error.keyword === "additionalProperties") return `is unknown${knownMembers(error)}`;
  if (error.keyword === "enum") return `must be one of ${String(error.params["allowedValues"])}`;
  if (error.keyword === "pattern") return "must not be blank";
  return error.message ?? "is invalid";
}

function knownMembers({ parentSchema, params }: ErrorObject): string {
  const known = Object.keys((parentSchema?.["properties"] ?? {}) as object);
  if (known.length === 0) return "; no members are allowed";
  const text = String(params["additionalProperty"]);
  const nearest = closest(text, known);
  const isNear = distance(text, nearest) <= Math.max(1, text.length / 3);
  return `; the known members are ${known.join(", ")}${isNear ? `; did you mean ${nearest}?` : ""}`;
}

/** Five fields, no seconds. */
function isCron(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    return new Cron(text, { paused: true }) instanceof Cron;
  } catch {
    return false;
  }
}

function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).format(0) !== "";
  } catch {
    return false;
  }
}
