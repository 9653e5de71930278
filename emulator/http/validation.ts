import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";
import { Cron } from "croner";
import type { TSchema } from "typebox";
import { HttpError } from "../world/errors.ts";

// Drops unknown members and fills in defaults, as the API does; converts no types.
const ajv = new Ajv({ allErrors: true, useDefaults: true, removeAdditional: "all", allowUnionTypes: true });
ajvFormats.default(ajv, ["uuid", "uri", "date-time", "email"]);
ajv.addFormat("uuid or empty", /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})?$/i);
ajv.addFormat("cron", { type: "string", validate: isCron });
ajv.addFormat("timezone", { type: "string", validate: isTimezone });

// Reports unknown members as mistakes.
const strict = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true });
ajvFormats.default(strict, ["uuid", "date-time"]);

const compiled = new WeakMap<TSchema, ValidateFunction>();

// Limits the message, because a body can be wrong in 100,000 places.
const MOST_TOLD = 20;

/** Checks a request body and fills in defaults in place; throws a 400 that lists every wrong member. */
export function validate(schema: TSchema, body: unknown): void {
  check(ajv, schema, body);
}

/** Checks input of the emulator's own interface like `validate`, and also refuses unknown members. */
export function validateStrictly(schema: TSchema, body: unknown): void {
  check(strict, schema, body);
}

function check(validator: Ajv, schema: TSchema, body: unknown): void {
  if (body === undefined) throw new HttpError(400, "the request needs a JSON body");
  let isValid = compiled.get(schema);
  if (!isValid) {
    isValid = validator.compile(schema);
    compiled.set(schema, isValid);
  }
  if (!isValid(body)) throw new HttpError(400, describe(isValid.errors ?? []));
}

function describe(errors: ErrorObject[]): string {
  const told = errors.slice(0, MOST_TOLD).map((error) => `${memberOf(error)} ${problemOf(error)}`);
  const rest = errors.length - told.length;
  return [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

/** `/ports/0/internal_port` as `ports[0].internal_port`. */
function memberOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const member = missingProperty ?? additionalProperty;
  const path = `${error.instancePath}${member === undefined ? "" : `/${member}`}`
    .replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".")
    .replace(/^\./, "");
  return path === "" ? "the body" : path;
}

function problemOf(error: ErrorObject): string {
  if (error.keyword === "required") return "is required";
  if (error.keyword === "additionalProperties") return `is unknown${knownMembers(error)}`;
  if (error.keyword === "enum") return `must be one of ${String(error.params["allowedValues"])}`;
  if (error.keyword === "pattern") return "must not be blank";
  return error.message ?? "is invalid";
}

function knownMembers({ parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema?.["properties"] ?? {}) as object);
  return known.length === 0 ? "; no members are allowed" : `; the known members are ${known.join(", ")}`;
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
