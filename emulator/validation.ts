import { Ajv } from "ajv";
import type { ErrorObject, ValidateFunction } from "ajv";
import ajvFormats from "ajv-formats";
import { Cron } from "croner";
import type { TSchema } from "typebox";
import { HttpError } from "./errors.ts";

// Unknown members are dropped and defaults filled in, as the service does; nothing is converted.
const ajv = new Ajv({ allErrors: true, useDefaults: true, removeAdditional: "all", allowUnionTypes: true });
ajvFormats.default(ajv, ["uuid", "uri", "date-time"]);
ajv.addFormat("cron", { type: "string", validate: isCron });
ajv.addFormat("timezone", { type: "string", validate: isTimezone });

const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Checks a request body and completes it in place; throws 400 that names every wrong member. */
export function validate(schema: TSchema, body: unknown): void {
  if (body === undefined) throw new HttpError(400, "the request needs a JSON body");
  let check = compiled.get(schema);
  if (!check) {
    check = ajv.compile(schema);
    compiled.set(schema, check);
  }
  if (!check(body)) throw new HttpError(400, describe(check.errors ?? []));
}

function describe(errors: ErrorObject[]): string {
  return errors.map((error) => `${memberOf(error)} ${problemOf(error)}`).join("; ");
}

/** `/ports/0/internal_port` as `ports[0].internal_port`. */
function memberOf(error: ErrorObject): string {
  const missing = error.keyword === "required" ? `/${String(error.params["missingProperty"])}` : "";
  const path = `${error.instancePath}${missing}`
    .replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".")
    .replace(/^\./, "");
  return path === "" ? "the body" : path;
}

function problemOf(error: ErrorObject): string {
  if (error.keyword === "required") return "is required";
  if (error.keyword === "enum") return `must be one of ${String(error.params["allowedValues"])}`;
  if (error.keyword === "pattern") return "must not be blank";
  return error.message ?? "is invalid";
}

/** Five fields, no seconds. Source: reference.md, Cron variant. */
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
