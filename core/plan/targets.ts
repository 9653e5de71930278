import { nearest } from "../schema/suggest.ts";
import type { Pattern } from "../pattern.ts";
import type { Problem } from "../problem.ts";

/** The targets that choose none of these addresses: a slip, and the plan would look as if all were well. */
export function idleTargets(targets: readonly Pattern[], addresses: readonly string[]): Problem[] {
  return targets
    .filter((target) => !addresses.some((address) => target.matches(address)))
    .map(({ text }) => {
      const meant = nearest(text, addresses);
      return {
        message: `the target "${text}" chooses nothing that a document describes`,
        advice: `${meant === undefined ? "" : `perhaps ${meant}? `}a target is an address or a pattern, such as job:shop/staging/* or shop/**`,
      };
    });
}
