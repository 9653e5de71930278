import { repeating } from "../../redaction/credentials-in-values.ts";
import { CronPattern } from "croner";
import { type Mistake, quote, show } from "../../source/mistake.ts";

const form = "write five fields: minute, hour, day of the month, month, day of the week";

const nicknames: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** At most this many valid expressions are cached, so that repeated ones are parsed once. */
const good = new Set<string>();
const mostCached = 1000;

/** Undefined: none. */
export function cronMistake(text: string): Mistake | undefined {
  if (good.has(text)) return undefined;
  const fields = text.split(/\s+/).filter(Boolean);
  if (fields.length === 6) {
    return {
      message: "has 6 fields instead of 5: there is no field for seconds",
      advice: repeating(text, `leave the seconds out: ${quote(fields.slice(1).join(" "))}`, form),
    };
  }
  const [first = ""] = fields;
  if (fields.length === 1 && Object.hasOwn(nicknames, first.toLowerCase())) {
    return {
      message: "is a short name that the API does not know",
      advice: `write it out: "${nicknames[first.toLowerCase()]}"`,
    };
  }
  if (fields.length === 0) return { message: "is empty", advice: form };
  if (fields.length !== 5) {
    return {
      message: `has ${fields.length === 1 ? "one field" : `${fields.length} fields`} instead of 5`,
      advice: form,
    };
  }
  if (text !== fields.join(" ")) {
    return { message: "has extra spaces", advice: repeating(text, `write ${quote(fields.join(" "))}`, form) };
  }
  try {
    const { pattern } = new CronPattern(text, undefined, { mode: "5-part" });
    if (good.size < mostCached) good.add(pattern);
    return undefined;
  } catch (error) {
    return { message: `is not a cron expression (${reason(error)})`, advice: form };
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return show(
    message
      .replace(/^CronPattern: /, "")
      .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
      .replace(/\.$/, ""),
  );
}
