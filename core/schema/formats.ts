import type { Format as AjvFormat } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { decodeName } from "../address.ts";
import type { FieldSchema, Kind } from "../kinds/index.ts";
import { cronFault } from "./cron.ts";
import { type Fault, quote, show } from "../source/mistake.ts";
import { nearest } from "./suggest.ts";
import { isTimeZone, timeZoneFault } from "./time-zone.ts";

/** A rule for texts that JSON Schema calls a format. */
export interface Format {
  /** The rule itself. */
  rule: AjvFormat;
  /** What is wrong with a text that breaks it, as the end of a sentence that begins with the text. */
  fault(text: string): Fault | undefined;
  /** How an editor, which does not know the format, is told as much of it as it can check. */
  editor: { pattern?: string; format?: string; enum?: string[]; examples?: string[] };
}

/** Formats that do not depend on a kind. */
const plainFormats: Record<string, Format> = {
  cron: ruled(cronFault, { pattern: "^\\S+( \\S+){4}$", examples: ["0 3 * * *"] }),
  "time-zone": { rule: isTimeZone, fault: timeZoneFault, editor: { examples: ["Europe/Paris", "UTC"] } },
  uri: { rule: fullFormats.uri, fault: () => notUri, editor: { format: "uri" } },
  uuid: ruled(uuidFault, { format: "uuid" }),
  name: ruled(nameFault, { pattern: "^\\S([\\s\\S]*\\S)?$" }),
};

function ruled(fault: Format["fault"], editor: Format["editor"]): Format {
  return { rule: (text: string) => fault(text) === undefined, fault, editor };
}

/**
 * The formats that the documents of a kind use: those above, `parent` and `source` for references to a parent and to
 * a resource of the kind itself, and `field` for the path of one of its fields.
 */
export function formatsFor(kind: Kind): Record<string, Format> {
  return {
    ...plainFormats,
    ...(kind.parent && { parent: reference(kind.parent) }),
    source: reference(kind),
    field: field(kind),
  };
}

/** How a reference to a resource of a kind is written: `PROJECT/ENVIRONMENT`. */
export function referenceForm(kind: Kind): string {
  return referenceParts(kind).join("/");
}

function referenceParts(kind: Kind): string[] {
  return [...(kind.parent ? referenceParts(kind.parent) : []), kind.name.toUpperCase()];
}

function reference(kind: Kind): Format {
  const form = referenceParts(kind);
  const advice = `write ${form.join("/")}; a slash inside a name is written %2F`;
  const fault = (text: string): Fault | undefined => {
    const parts = text.split("/");
    if (parts.some((part) => part.trim() === "")) return { message: "has an empty part", advice };
    if (parts.length === form.length) {
      return parts.map((part) => nameFault(decodeName(part))).find((found) => found !== undefined);
    }
    const missing = form.slice(0, -parts.length);
    return {
      message: `has ${words(parts.length)} ${parts.length === 1 ? "part" : "parts"}, not ${words(form.length)}`,
      advice: parts.length > form.length ? advice : `write ${[...missing, ...parts.map(show)].join("/")}`,
    };
  };
  return ruled(fault, { pattern: `^[^/]+${"/[^/]+".repeat(form.length - 1)}$` });
}

const words = (count: number) => ["no", "one", "two", "three"][count] ?? String(count);

function field(kind: Kind): Format {
  const paths = fieldPaths(kind.fields);
  const known = new Set(paths);
  return {
    rule: (text: string) => known.has(text),
    fault(text) {
      const near = nearest(text, paths);
      return {
        message: `is no field of the kind ${kind.name}`,
        advice:
          near === undefined ? "write a field, or a path such as source.image" : `did you mean ${near}?`,
      };
    },
    editor: { enum: paths },
  };
}

/** The paths of all fields, those of the elements of lists too: `ports.name`. */
export function fieldPaths(schema: FieldSchema, prefix = ""): string[] {
  const { properties } = schema.items ?? schema;
  if (schema.opaque) return [];
  return Object.entries(properties ?? {}).flatMap(([member, inner]) => [
    prefix + member,
    ...fieldPaths(inner, `${prefix}${member}.`),
  ]);
}

/** Why a text is no name. */
export function nameFault(text: string): Fault | undefined {
  if (text.trim() === "") return { message: "is empty", advice: "write a name" };
  if (/\p{Cc}/u.test(text))
    return {
      message: "has control characters in it",
      advice: "write a name of printable characters on one line",
    };
  return text === text.trim()
    ? undefined
    : { message: "begins or ends with a blank", advice: `write ${quote(text.trim())}` };
}

const notUri: Fault = {
  message: "is no URI",
  advice: "write a whole one, such as https://example.com/icon.svg",
};

function uuidFault(text: string): Fault | undefined {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? undefined
    : { message: "is no id", advice: "write the UUID that the API gives the resource" };
}
