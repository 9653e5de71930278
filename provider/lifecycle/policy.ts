import { defaultPolicy, type Policy } from "../../core/plan/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** What the settings of a stack allow and forbid. @param lostBefore how much other changes of the run lose */
export function policyOf(
  { allowInfrastructure, allowLosses, protect, policies, maxDeletes, maxDeletesFile: file }: ProviderSettings,
  lostBefore: number,
): Policy {
  return {
    ...defaultPolicy,
    protect,
    policies,
    allowReplace: allowLosses,
    // Without a name there is no consent, whatever else is allowed.
    ...(allowInfrastructure.length > 0 && { infrastructure: allowInfrastructure }),
    hidesLosses: true,
    ...(maxDeletes !== undefined &&
      file !== undefined && { fixedCaps: { file, caps: { count: maxDeletes } } }),
    caps: { count: maxDeletes ?? Infinity, percent: 100, before: lostBefore },
  };
}
