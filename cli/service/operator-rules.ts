import { defaultCaps } from "../../core/planning/plan/index.ts";
import type { Mode, OperatorRules } from "../../reconciler/index.ts";
import type { OperatorFlags } from "../repository/repository.ts";
import type { Settings } from "../settings/index.ts";

/** Flags of the policy, and the operator's settings file. */
export interface PolicyFlags extends OperatorFlags {
  onDrift?: string;
}

export function readOperatorRules({ onDrift, operator }: PolicyFlags): OperatorRules {
  const {
    max_deletes_per_day: perDay,
    max_deletes_per_day_in_organization: organization,
    on_commit: commit,
  } = operator;
  return {
    ...(perDay !== undefined && { deletesPerDay: perDay }),
    organizationDeletesPerDay: organization,
    ...(commit !== undefined && { onCommit: commit }),
    // The command line has checked it.
    ...(onDrift !== undefined && { onDrift: onDrift as Mode }),
  };
}

/** The rules of the operator with the flags for every command: a day has the limit of one run, unless declared. */
export function withCaps(
  operator: OperatorRules,
  { maxDeletes }: Pick<Settings, "maxDeletes">,
): OperatorRules {
  return { deletesPerDay: maxDeletes.count ?? defaultCaps.count, ...operator };
}
