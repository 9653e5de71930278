import { isFields, own } from "../../core/json.ts";
import type { Properties } from "./inputs.ts";
import { timeoutsProperty } from "./internal.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds that the option `customTimeouts` gives an operation; undefined where it does not name it. */
export function limitIn(
  { [timeoutsProperty]: given }: Properties,
  operation: "create" | "update" | "delete",
): number | undefined {
  const text = isFields(given) ? own(given, operation) : undefined;
  if (typeof text !== "string") return undefined;
  const parts = text.matchAll(/(?<amount>\d+(?:\.\d+)?)(?<unit>ms|[smhd])/g);
  const times = [...parts].map(
    ({ groups = {} }) => Number(groups["amount"]) * (units[groups["unit"] ?? ""] ?? 0),
  );
  return times.length === 0 ? undefined : times.reduce((sum, each) => sum + each);
}

/** The option as outputs, because a deletion gets only these. */
export function timeoutsIn({ [timeoutsProperty]: given }: Properties): Properties {
  return isFields(given) ? { [timeoutsProperty]: given } : {};
}
