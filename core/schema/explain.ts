import type { ErrorObject } from "ajv";
import { isFields, type Json, own } from "../json.ts";
import { type FieldSchema, type Kind, kinds } from "../kinds/index.ts";
import { holdsServices } from "../manifest/document-schema.ts";
import { fieldPaths, formatsFor, referenceForm } from "./formats.ts";
import { type Mistake, type Path, quote, showPath } from "../source/mistake.ts";
import { about } from "./rules.ts";
import { nearest } from "./suggest.ts";
import { explainType } from "./types.ts";

/** What the validator reports, in terms of the document. */
export function explain(error: ErrorObject, kind: Kind, document: Json): Mistake {
  const path = pathOf(error.instancePath, document);
  // The validator is told to hand over the schema and the value that it speaks of.
  const schema = (error.parentSchema ?? {}) as FieldSchema;
  const value = error.data as Json;
  const mistake = (message: string, advice: string, at: Mistake["at"] = "value"): Mistake => ({
    path,
    at,
    message,
    advice,
  });
  const label = showPath(path);

  switch (error.keyword) {
    case "type":
    case "enum":
      return { path, at: "value", ...explainType(schema, value, path) };
    case "additionalProperties":
      return explainUnknown(kind, schema, path, String(error.params["additionalProperty"]));
    case "required":
      return explainMissing(kind, schema, path, String(error.params["missingProperty"]));
    case "format":
      return explainFormat(kind, schema, path, String(value));
    case "minimum":
      return mistake(`${label} is ${String(value)}, less than ${schema.minimum}`, rangeAdvice(schema));
    case "maximum":
      return mistake(`${label} is ${String(value)}, more than ${schema.maximum}`, rangeAdvice(schema));
    case "minLength":
      return mistake(
        `${label} is an empty text`,
        `state a value, or ${typeof path.at(-1) === "number" ? "take the element out" : "leave the field out"}`,
      );
    case "minItems":
      return mistake(
        `${label} is an empty list`,
        `state ${schema.minItems} or more elements, or leave the field out`,
        "key",
      );
    default:
      return mistake(`${label} ${error.message ?? "is wrong"}`, `see what is allowed${about(schema)}`);
  }
}

function rangeAdvice(schema: FieldSchema): string {
  const range =
    schema.maximum === undefined
      ? `${schema.minimum} or more`
      : `an integer from ${schema.minimum ?? "0"} to ${schema.maximum}`;
  return `write ${range}${about(schema)}`;
}

function explainFormat(kind: Kind, schema: FieldSchema, path: Path, text: string): Mistake {
  const fault = formatsFor(kind)[schema.format ?? ""]?.fault(text);
  return {
    path,
    at: "value",
    message: `${showPath(path)}: ${quote(text)} ${fault?.message ?? `is no ${schema.format}`}`,
    advice: fault?.advice ?? `write another${about(schema)}`,
  };
}

function explainMissing(kind: Kind, schema: FieldSchema, path: Path, member: string): Mistake {
  const memberSchema = own(schema.properties ?? {}, member) ?? {};
  const form = member === kind.parentMember && kind.parent ? `: ${referenceForm(kind.parent)}` : "";
  return {
    path,
    at: "value",
    message: `${path.length === 0 ? `the ${kind.name}` : showPath(path)} has no ${member}`,
    advice: `add ${member}${form === "" ? about(memberSchema) : form}`,
  };
}

function explainUnknown(kind: Kind, schema: FieldSchema, path: Path, member: string): Mistake {
  return {
    path: [...path, member],
    at: "key",
    message:
      path.length === 0
        ? `the kind ${kind.name} has no field ${quote(member)}`
        : `${showPath(path)} has no member ${quote(member)}`,
    advice: unknownAdvice(kind, schema, path, member),
  };
}

function unknownAdvice(kind: Kind, schema: FieldSchema, path: Path, member: string): string {
  const known = Object.keys(schema.properties ?? {});
  const special = specialAdvice(kind, path, member) ?? elsewhere(kind, member);
  if (special !== undefined) return special;
  const near = nearest(member, known);
  const remark = path.length === 0 ? foreign(kind, member) : undefined;
  if (near !== undefined) return `did you mean ${near}?${remark === undefined ? "" : ` (${remark})`}`;
  return remark === undefined ? `it may have: ${known.join(", ")}` : `leave it out: ${remark}`;
}

function specialAdvice(kind: Kind, path: Path, member: string): string | undefined {
  if (member === "<<") return "merge keys are not part of YAML 1.2; write the fields out";
  if (path[0] === "manage" && member === "prune") {
    const holders = kinds.filter(holdsServices).map(({ name }) => name);
    return `leave it out: only the kind ${holders.join(", ")} holds services that can be pruned`;
  }
  if (path.length > 0) return undefined;
  if (member === "clone") return `leave it out: the kind ${kind.name} cannot be cloned`;
  if (kind.parent && kinds.some((other) => other.parentMember === member)) {
    return `say where it is with ${kind.parentMember}: ${referenceForm(kind.parent)}`;
  }
  return undefined;
}

/** Where a member belongs that stands in the wrong place. */
function elsewhere(kind: Kind, member: string): string | undefined {
  const places = fieldPaths(kind.fields).filter((place) => place === member || place.endsWith(`.${member}`));
  if (places.length === 0) return undefined;
  return `it belongs at ${places.length === 1 ? "" : "one of "}${places.join(", ")}`;
}

/** What a member is that belongs to other kinds, or that the API reports only. */
function foreign(kind: Kind, member: string): string | undefined {
  if (own(kind.reports, member)) return `the API reports ${member}, and it cannot be set`;
  const others = kinds.filter((other) => own(other.fields.properties ?? {}, member)).map(({ name }) => name);
  return others.length === 0 ? undefined : `${member} is a field of the kind ${others.join(", ")}`;
}

/** A JSON pointer as a path; a number is an element only where there is a list. */
function pathOf(pointer: string, document: Json): Path {
  const path: (string | number)[] = [];
  let at: Json | undefined = document;
  for (const escaped of pointer.split("/").slice(1)) {
    const part = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) {
      path.push(Number(part));
      at = at[Number(part)];
    } else {
      path.push(part);
      at = isFields(at) ? own(at, part) : undefined;
    }
  }
  return path;
}
