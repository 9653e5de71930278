import type { Mistake } from "../source/mistake.ts";
import { nearest } from "./suggest.ts";

let known: Set<string> | undefined;

/**
 * A cache of valid names, because asking the platform about a name is slow: the current names, and older ones after
 * their first use. Listing the names is slow too, and few documents name a time zone.
 */
function knownNames(): Set<string> {
  known ??= new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);
  return known;
}

/** Whether a text is the name of a time zone. The platform accepts any case; a scheduler may not. */
export function isTimeZone(text: string): boolean {
  if (knownNames().has(text)) return true;
  const canonical = canonicalName(text);
  if (canonical === undefined) return false;
  const wrongCase = canonical !== text && canonical.toLowerCase() === text.toLowerCase();
  if (!wrongCase) knownNames().add(text);
  return !wrongCase;
}

/** The mistake of a text that is not the name of a time zone. */
export function timeZoneMistake(text: string): Mistake {
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

/** The current name of a time zone that is given in any case; undefined when there is none, or for an offset. */
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
