import { dependents, exclusive } from "./wanted-parts.ts";
import { expiry } from "./expiry.ts";
import { follow } from "./follow.ts";
import { given, possible } from "./impossible.ts";
import { ignore } from "./ignore.ts";
import { name } from "./renamed.ts";
import { needs, otherSorts } from "./refused-parts.ts";
import type { Concern } from "./overlay.ts";
import { liveParts } from "./parts.ts";
import { references } from "./references.ts";
import { rotation } from "./rotations.ts";
import { siblings } from "./siblings.ts";
import { unkept } from "./unkept.ts";
import { unstated } from "./unstated.ts";
import { values } from "./part-values.ts";

/** What planning asks about each resource, in this order. */
export const concerns: readonly Concern[] = [
  follow,
  expiry,
  liveParts,
  ignore,
  exclusive,
  dependents,
  rotation,
  references,
  siblings,
  name,
  unkept,
  given,
  possible,
  otherSorts,
  needs,
  values,
  unstated,
];
