import { parseReference } from "../core/model/addresses/address.ts";
import { kindFormat } from "../core/model/kinds/index.ts";
import { type Formats, ruled } from "../core/model/schema/format.ts";
import { plainFormats } from "../core/model/schema/formats.ts";
import type { Mistake } from "../core/source/mistake.ts";
import { readEnvironmentScope } from "../core/model/addresses/scope.ts";

const notEnvironment: Mistake = {
  message: "is not an environment",
  advice: "write PROJECT/ENVIRONMENT, such as shop/staging",
};

/** The formats of files of the operator and of policies. */
export const declaredFormats: Formats = {
  ...plainFormats,
  environment: ruled(
    (given) => (parseReference(given).length === 2 && !given.includes("*") ? undefined : notEnvironment),
    { examples: ["shop/staging"] },
  ),
  environments: ruled(
    (given) => {
      const pattern = readEnvironmentScope(given);
      return "matches" in pattern ? undefined : pattern;
    },
    { examples: ["shop/production", "*/production"] },
  ),
  kind: kindFormat,
  "date-time": ruled(dateTimeMistake, { format: "date-time", examples: ["2026-12-01T08:00:00Z"] }),
};

/** Undefined: the text is a time with a time zone, on a day that exists. */
export function dateTimeMistake(given: string): Mistake | undefined {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.exec(given) ?? [];
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return isDay && !Number.isNaN(Date.parse(given))
    ? undefined
    : {
        message: "is not a time with a time zone",
        advice: "write one such as 2026-12-01T08:00:00Z or 2026-12-01T08:00:00+01:00",
      };
}
