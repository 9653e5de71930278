import type { Fault } from "./mistake.ts";
import { nearest } from "./suggest.ts";

/** Names in use, to which older ones are added as they are met: asking the platform about a name is slow. */
const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

/** What is wrong with the name of a time zone; undefined when nothing is. */
export function timeZoneFault(text: string): Fault | undefined {
  if (known.has(text)) return undefined;
  const canonical = /^[+-]/.test(text) ? undefined : canonicalName(text);
  if (canonical === undefined) {
    const near = nearest(text, known) ?? byCity(text);
    return {
      message: "is no time zone",
      advice:
        near === undefined
          ? "write a name of the time zone database, such as Europe/Paris or UTC"
          : `did you mean ${near}?`,
    };
  }
  // The platform takes any case, what reads the schedule may not.
  if (text !== canonical && text.toLowerCase() === canonical.toLowerCase()) {
    return { message: "is a time zone in the wrong case", advice: `write ${canonical}` };
  }
  known.add(text);
  return undefined;
}

function canonicalName(text: string): string | undefined {
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
