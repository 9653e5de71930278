import type { Cluster, Organization } from "../world/records.ts";

// Prices in cents a month. They are the emulator's own, and depend on nothing but the configuration.

const plans: Record<string, number> = {
  FREE: 0,
  USER_2025: 2_900,
  TEAM: 9_900,
  TEAM_YEARLY: 8_900,
  TEAM_2025: 29_900,
  PROFESSIONAL: 59_900,
  BUSINESS: 89_900,
  BUSINESS_2025: 99_900,
  ENTERPRISE: 199_900,
  ENTERPRISE_YEARLY: 179_900,
  ENTERPRISE_2025: 249_900,
};

const CONTROL_PLANE = 7_300;
const NODE = 6_100;
const GIBIBYTE = 10;

/** The price of an organization's plan each month. */
export function planPrice({ spec }: Organization): number {
  return plans[spec.plan] ?? 0;
}

/** The price of a cluster each month with a number of nodes; a cluster on machines of the user costs nothing. */
export function clusterPrice({ spec }: Cluster, nodes: number): number {
  if (spec.cloud_provider === "ON_PREMISE" || spec.kubernetes === "SELF_MANAGED") return 0;
  return CONTROL_PLANE + nodes * (NODE + (spec.disk_size ?? 0) * GIBIBYTE);
}

/** `Cost`. */
export function costView(cents: number) {
  return { total_in_cents: cents, total: cents / 100, currency_code: "USD" };
}
