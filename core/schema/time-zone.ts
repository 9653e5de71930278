import type { Mistake } from "../source/mistake.ts";
import { nearest } from "./suggest.ts";

/** Names in use, to which older ones are added as they are met: asking the platform about a name is slow. */
const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

/** Whether a text is the name of a time zone. The platform takes any case, what reads a schedule may not. */
export function isTimeZone(text: string): boolean {
  if (known.has(text)) return true;
  const canonical = canonicalName(text);
  if (canonical === undefined) return false;
  const wrongCase = canonical !== text && canonical.toLowerCase() === text.toLowerCase();
  if (!wrongCase) known.add(text);
  return !wrongCase;
}

/** What is wrong with what is no name of a time zone. */
export function timeZoneMistake(text: string): Mistake {
  const canonical = canonicalName(text);
  if (canonical !== undefined) {
    return { message: "is a time zone, but in the wrong case", advice: `write ${canonical}` };
  }
  const near = nearest(text, known) ?? byCity(text);
  return {
    message: "is not a time zone",
    advice:
      near === undefined
        ? "write a name of the time zone database, such as Europe/Paris or UTC"
        : `did you mean ${near}?`,
  };
}

/** The present name of a time zone, given in any case; undefined when there is none, or it is an offset. */
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
  return [...known].find((name) => name.slice(name.lastIndexOf("/") + 1).toLowerCase() === city);
}
