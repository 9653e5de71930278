import { formatReference } from "../../core/model/addresses/address.ts";
import { type Promotion, environmentKeyOf } from "../policy/index.ts";
import type { EnvironmentView, View } from "./view.ts";

/** A view in which commits wait for other environments to be synced and healthy first. */
export function withPromotions(view: View): View {
  const byKey = new Map(view.environments.map((environment) => [environment.key, environment]));
  return {
    ...view,
    environments: view.environments.map((each) => {
      const [hindrance] = each.rules.promotions.flatMap((promotion) =>
        environmentKeyOf(promotion.after) === each.key ? [] : (hindranceOf(promotion, byKey, view.now) ?? []),
      );
      return hindrance ? { ...each, rules: { ...each.rules, unpromoted: hindrance } } : each;
    }),
  };
}

function hindranceOf(
  { after, healthyFor, text }: Promotion,
  environments: ReadonlyMap<string, EnvironmentView>,
  now: number,
): { reason: string; until?: number } | undefined {
  const name = formatReference(after);
  const other = environments.get(environmentKeyOf(after));
  if (!other) return { reason: `it follows ${name}, which no document declares` };
  if (other.rolledBack) return { reason: `it follows ${name}, which is rolled back` };
  // `healthySince` is from the last cycle, `health` from this one.
  const isHealthy = other.health.every(({ health }) => health === "healthy") && !other.isHealthUnread;
  if (other.healthySince === undefined || !isHealthy)
    return { reason: `it follows ${name}, which is not synced and healthy with this commit` };
  const until = other.healthySince + healthyFor;
  return now >= until
    ? undefined
    : { reason: `it follows ${name}, which has to be healthy for ${text}`, until };
}
