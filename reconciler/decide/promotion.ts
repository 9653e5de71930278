import { formatReference } from "../../core/model/addresses/address.ts";
import { type Promotion, shareKeyOf } from "../policy/index.ts";
import type { ShareView, View } from "./view.ts";

/** A view in which commits wait for other environments to be synced and healthy first. */
export function withPromotions(view: View): View {
  const byKey = new Map(view.shares.map((share) => [share.key, share]));
  return {
    ...view,
    shares: view.shares.map((share) => {
      const [hindrance] = share.rules.promotions.flatMap((promotion) =>
        shareKeyOf(promotion.after) === share.key ? [] : (hindranceOf(promotion, byKey, view.now) ?? []),
      );
      return hindrance ? { ...share, rules: { ...share.rules, unpromoted: hindrance } } : share;
    }),
  };
}

function hindranceOf(
  { after, healthyFor, text }: Promotion,
  shares: ReadonlyMap<string, ShareView>,
  now: number,
): { reason: string; until?: number } | undefined {
  const name = formatReference(after);
  const other = shares.get(shareKeyOf(after));
  if (!other) return { reason: `it comes after ${name}, which no document declares` };
  if (other.rolledBack) return { reason: `it comes after ${name}, which is rolled back` };
  // `healthySince` is from the last cycle, `health` from this one.
  const isHealthy = other.health.every(({ health }) => health === "healthy") && !other.isHealthUnread;
  if (other.healthySince === undefined || !isHealthy)
    return { reason: `it comes after ${name}, which is not synced and healthy with this commit` };
  const until = other.healthySince + healthyFor;
  return now >= until
    ? undefined
    : { reason: `it comes after ${name}, which has to be healthy for ${text}`, until };
}
