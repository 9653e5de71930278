import type { Format as AjvFormat } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Fault, quote } from "../source/mistake.ts";
import { cronFault } from "./cron.ts";
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

/** Formats by name, as schemas refer to them. */
export type Formats = Readonly<Record<string, Format>>;

/** A format whose rule is that nothing is wrong with the text. */
export function ruled(fault: Format["fault"], editor: Format["editor"]): Format {
  return { rule: (text: string) => fault(text) === undefined, fault, editor };
}

/** The formats that mean the same in every schema. */
export const plainFormats: Formats = {
  cron: ruled(cronFault, { pattern: "^\\S+( \\S+){4}$", examples: ["0 3 * * *"] }),
  "time-zone": { rule: isTimeZone, fault: timeZoneFault, editor: { examples: ["Europe/Paris", "UTC"] } },
  uri: { rule: fullFormats.uri, fault: () => notUri, editor: { format: "uri" } },
  uuid: ruled(uuidFault, { format: "uuid" }),
  name: ruled(nameFault, { pattern: "^\\S([\\s\\S]*\\S)?$" }),
};

/** Why a text cannot be a name; undefined when it can. */
export function nameFault(text: string): Fault | undefined {
  if (text.trim() === "") return { message: "is empty", advice: "write a name" };
  if (/\p{Cc}/u.test(text))
    return {
      message: "contains control characters",
      advice: "write a name of printable characters on one line",
    };
  return text === text.trim()
    ? undefined
    : { message: "begins or ends with a space", advice: `write ${quote(text.trim())}` };
}

const notUri: Fault = {
  message: "is not a URI",
  advice: "write a complete URI, such as https://example.com/icon.svg",
};

function uuidFault(text: string): Fault | undefined {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? undefined
    : { message: "is not an id", advice: "write the UUID that the API has given the resource" };
}
