import { fullFormats } from "ajv-formats/dist/formats.js";
import { hasUserInformation } from "../../redaction/credential-forms.ts";
import type { Mistake } from "../../source/mistake.ts";
import { cronMistake } from "./cron.ts";
import { type Format, type Formats, nameMistake, ruled } from "./format.ts";
import { durationAdvice, durationMistake, durationPattern } from "./duration.ts";
import { secretFileMistake, secretVariableMistake } from "./secret-source.ts";
import { sopsAdvice, sopsMistake, sopsPattern } from "./sops.ts";
import { nearest } from "./suggest.ts";

let known: Set<string> | undefined;

/** Cached valid names, because both asking the platform and listing them is slow. */
function knownNames(): Set<string> {
  known ??= new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);
  return known;
}

/** The platform accepts any case; a scheduler may not. */
function isTimeZone(text: string): boolean {
  if (knownNames().has(text)) return true;
  const canonical = canonicalName(text);
  if (canonical === undefined) return false;
  const wrongCase = canonical !== text && canonical.toLowerCase() === text.toLowerCase();
  if (!wrongCase) knownNames().add(text);
  return !wrongCase;
}

function timeZoneMistake(text: string): Mistake {
  const canonical = canonicalName(text);
  if (canonical !== undefined) {
    return { message: "is a time zone, but in the wrong case", advice: `write ${canonical}` };
  }
  const near = nearest(text, knownNames()) ?? byCity(text);
  return {
    message: "is not a time zone",
    advice:
      near === undefined
        ? "write a name of the time zone database, such as Europe/Paris or UTC"
        : `did you mean ${near}?`,
  };
}

/** The current name of a time zone in any case; undefined for others and for offsets. */
function canonicalName(text: string): string | undefined {
  if (/^[+-]/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function byCity(text: string): string | undefined {
  const city = text.trim().replaceAll(" ", "_").toLowerCase();
  return [...knownNames()].find((name) => name.slice(name.lastIndexOf("/") + 1).toLowerCase() === city);
}

/** The formats with the same meaning in every schema. */
export const plainFormats: Formats = {
  cron: ruled(cronMistake, {
    pattern: "^\\S+( \\S+){4}$",
    patternErrorMessage: "Write five fields: minute, hour, day of the month, month, day of the week.",
    examples: ["0 3 * * *"],
  }),
  "time-zone": { rule: isTimeZone, mistake: timeZoneMistake, editor: { examples: ["Europe/Paris", "UTC"] } },
  duration: ruled(durationMistake, {
    pattern: durationPattern,
    patternErrorMessage: `W${durationAdvice.slice(1)}.`,
    examples: ["12h", "3d", "2w"],
  }),
  sops: ruled(sopsMistake, { pattern: sopsPattern, patternErrorMessage: `W${sopsAdvice.slice(1)}.` }),
  "environment-variable": ruled(secretVariableMistake, {
    pattern: "^(?!INFRASYNC_(?!VAR_))[^$={}\\s]+$",
    patternErrorMessage:
      "Write the name of an environment variable alone; those of infrasync are no sources.",
  }),
  file: ruled(secretFileMistake, {}),
  email: standard("email", {
    message: "is not an e-mail address",
    advice: "write one such as ada@example.com",
  }),
  uri: standard("uri", {
    message: "is not a URI",
    advice: "write a complete URI, such as https://example.com/icon.svg",
  }),
  "git-url": ruled(gitUrlMistake, {
    pattern: "^(?!https?://[^\\s/?#@]+@)",
    patternErrorMessage: "Write the URL without a user and a token, and name a git token in git_token.",
  }),
  "date-time": standard(
    "date-time",
    { message: "is not a date with a time", advice: "write it as in 2026-01-01T08:00:00Z" },
    ["2026-01-01T08:00:00Z"],
  ),
  uuid: ruled(uuidMistake, { format: "uuid" }),
  name: ruled(nameMistake, {
    pattern: "^\\S([\\s\\S]*\\S)?$",
    patternErrorMessage: "A name is not empty, and neither begins nor ends with a space.",
  }),
};

/** Everyone who sees the resource reads its URL. */
function gitUrlMistake(text: string): Mistake | undefined {
  return hasUserInformation(text)
    ? {
        message: "has a user or a token in it, which everyone who sees the resource can read",
        advice: "write the URL without it, and name a git token of the organization in git_token",
      }
    : undefined;
}

/** A format of JSON Schema itself. */
function standard(name: "email" | "uri" | "date-time", mistake: Mistake, examples?: string[]): Format {
  const format = fullFormats[name];
  const rule: unknown = typeof format === "object" && "validate" in format ? format.validate : format;
  if (!(rule instanceof RegExp) && typeof rule !== "function")
    throw new TypeError(`the format ${name} has no function`);
  return {
    rule: (text) => (rule instanceof RegExp ? rule.test(text) : rule(text) === true),
    mistake: () => mistake,
    editor: { format: name, ...(examples && { examples }) },
  };
}

function uuidMistake(text: string): Mistake | undefined {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? undefined
    : { message: "is not an id", advice: "write the UUID that the API has given the resource" };
}
