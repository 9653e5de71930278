import { defaultCaps } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { type Mode, modes, type OperatorRules } from "../../reconciler/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf } from "../../core/settings/values.ts";

/** Flags of the policy. Each has an environment variable, such as `INFRASYNC_ON_DRIFT`. */
export interface PolicyFlags {
  onCommit?: string;
  onDrift?: string;
  maxDeletesPerDay?: string;
  maxDeletesPerDayInOrganization?: string;
}

/** Reads what the operator has set of the policy. Adds mistakes to `problems`. */
export function readOperatorRules(
  { onCommit, onDrift, maxDeletesPerDay, maxDeletesPerDayInOrganization }: PolicyFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): OperatorRules {
  const read = (name: string, given: string | undefined): Mode | undefined => {
    if (!given) return undefined;
    const reading = oneOf(...modes)(given);
    if ("value" in reading) return reading.value;
    problems.push({ code: "setting", message: `${name} ${reading.wrong}`, advice: reading.advice });
    return undefined;
  };
  const commit = onCommit ?? read("INFRASYNC_ON_COMMIT", env["INFRASYNC_ON_COMMIT"]);
  const drift = onDrift ?? read("INFRASYNC_ON_DRIFT", env["INFRASYNC_ON_DRIFT"]);
  const count = (flag: string, given: string | undefined): number | undefined => {
    if (!given) return undefined;
    if (/^\d{1,9}$/.test(given)) return Number(given);
    problems.push({
      code: "setting",
      message: `${flag} "${escapeControl(given)}" is not a number`,
      advice: "write one such as 10",
    });
    return undefined;
  };
  const perDay = count("--max-deletes-per-day", maxDeletesPerDay ?? env["INFRASYNC_MAX_DELETES_PER_DAY"]);
  const organization = count(
    "--max-deletes-per-day-in-organization",
    maxDeletesPerDayInOrganization ?? env["INFRASYNC_MAX_DELETES_PER_DAY_IN_ORGANIZATION"],
  );
  return {
    ...(perDay !== undefined && { deletesPerDay: perDay }),
    organizationDeletesPerDay: organization,
    ...(commit !== undefined && { onCommit: commit as Mode }),
    ...(drift !== undefined && { onDrift: drift as Mode }),
  };
}

/** The rules of the operator with what flags for every command say: a day has the limit of one run, unless stated. */
export function withCaps(
  operator: OperatorRules,
  { maxDeletes }: Pick<Settings, "maxDeletes">,
): OperatorRules {
  return { deletesPerDay: maxDeletes.count ?? defaultCaps.count, ...operator };
}
