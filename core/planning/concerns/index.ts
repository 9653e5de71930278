import { liveParts } from "../plan/parts.ts";
import type { Concern } from "../plan/planning.ts";
import { siblings } from "../plan/siblings.ts";
import { caps } from "./caps.ts";
import { finalLosses, replacement } from "./consent.ts";
import { contents } from "./contents.ts";
import { dependents, exclusive } from "./exclusive.ts";
import { idleConsents } from "./unused-consents.ts";
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
import { unkept } from "./normalized-values.ts";
import { unmanaged } from "./unmanaged-state.ts";
export { lackingConsents } from "./consent.ts";
import { values } from "./values.ts";

/** Everything that planning asks, in this order. */
export const concerns: readonly Concern[] = [
  // What is laid over a base: each adds to what those before it have added.
  liveParts,
  ignore,
  exclusive,
  dependents,
  secrets,
  references,
  siblings,
  outputs,
  // What the comparison shows, and what is wrong with it.
  names,
  unkept,
  given,
  possible,
  otherSorts,
  needs,
  values,
  unmanaged,
  // What a plan as a whole may not do.
  inUse,
  replacement,
  infrastructure,
  policies,
  suspension,
  targets,
  idleConsents,
  keepsOne,
  ownUse,
  protection,
  protectedOperation,
  pruneBefore,
  finalLosses,
  owner,
  contents,
  caps,
  // What restricts nothing.
  restrictions,
];
