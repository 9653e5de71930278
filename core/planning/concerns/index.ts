import { liveParts } from "../plan/parts.ts";
import type { Concern } from "../plan/planning.ts";
import { siblings } from "../plan/siblings.ts";
import { caps } from "./caps.ts";
import { finalLosses, replacement } from "./consent.ts";
import { contents } from "./contents.ts";
import { dependents, exclusive } from "./exclusive.ts";
import { unusedConsents } from "./unused-consents.ts";
import { ignore } from "./ignore.ts";
import { given, possible } from "./impossible-changes.ts";
import { inUse } from "./referrers.ts";
import { infrastructure } from "./infrastructure.ts";
import { keepsOne } from "./keeps-one.ts";
import { names } from "./names.ts";
import { needs, otherSorts } from "./needs.ts";
import { outputs } from "./outputs.ts";
import { ownUse } from "./own-token.ts";
import { owner } from "./owner.ts";
import { policies } from "./policies.ts";
import { protectedOperation } from "./protected-operation.ts";
import { protection } from "./protection.ts";
import { references } from "./references.ts";
import { restrictions } from "./restrictions.ts";
import { pruneBefore } from "./rules-before.ts";
import { secrets } from "./secrets.ts";
import { suspension } from "./suspension.ts";
import { targets } from "./targets.ts";
import { normalized } from "./normalized-values.ts";
import { unmanaged } from "./unmanaged-state.ts";
export { lackingConsents } from "./consent.ts";
import { values } from "./values.ts";

/** All concerns, in the order in which planning asks them. */
export const concerns: readonly Concern[] = [
  // Concerns that add to the overlay; each sees the additions of those before it.
  liveParts,
  ignore,
  exclusive,
  dependents,
  secrets,
  references,
  siblings,
  outputs,
  // Concerns that look at the comparison.
  names,
  normalized,
  given,
  possible,
  otherSorts,
  needs,
  values,
  unmanaged,
  // Concerns that look at the whole plan.
  inUse,
  replacement,
  infrastructure,
  policies,
  suspension,
  targets,
  unusedConsents,
  keepsOne,
  ownUse,
  protection,
  protectedOperation,
  pruneBefore,
  finalLosses,
  owner,
  contents,
  caps,
  // Concerns about rules that match nothing.
  restrictions,
];
