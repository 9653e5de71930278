import { isDeployed } from "../clusters/deployments.ts";
import { clusterOf } from "../clusters/lookup.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, list, type Route } from "../http/routing.ts";
import type { Organization, Cluster } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";

// An organization has invoices of the last months before its creation too, so that a new emulator has some.
const EARLIER_INVOICES = 3;
const MOST_INVOICES = 36;

const DAYS_TO_PAY = 15;
const A_DAY = 24 * 3600_000;

/** Costs and invoices: the same for the same configuration and time. */
export const costRoutes: Route[] = [
  get("/organization/{organizationId}/currentCost", (call) => {
    const organization = organizationOf(call);
    return {
      plan: organization.spec.plan,
      remaining_trial_day: 0,
      renewal_at: new Date(startOfMonth(call.world.clock.now(), 1)).toISOString(),
      cost: costView(planPrice(organization)),
    };
  }),
  get("/organization/{organizationId}/cluster/{clusterId}/currentCost", (call) => {
    const cluster = clusterOf(call);
    const { min_running_nodes: least = 1, max_running_nodes: most = least } = cluster.spec;
    const priceOf = (nodes: number) => (isDeployed(cluster) ? clusterPrice(cluster, nodes) : 0);
    const [min, max] = [priceOf(least), priceOf(Math.max(least, most))];
    return {
      ...costView(min),
      min_cost_in_cents: min,
      min_cost: min / 100,
      max_cost_in_cents: max,
      max_cost: max / 100,
    };
  }),
  list("/organization/{organizationId}/invoice", (call, world) => invoicesOf(organizationOf(call), world)),
];

function invoicesOf(organization: Organization, { clock }: World) {
  const now = clock.now();
  const first = startOfMonth(Date.parse(organization.created_at), 1 - EARLIER_INVOICES);
  const months: number[] = [];
  for (let back = 0; back < MOST_INVOICES; back += 1) {
    const month = startOfMonth(now, -back);
    if (month < first) break;
    months.push(month);
  }
  return months.map((month) => {
    const created_at = new Date(month).toISOString();
    return {
      id: uuidOf(`invoice ${organization.id} ${created_at}`),
      created_at,
      status: now - month < DAYS_TO_PAY * A_DAY ? "PENDING" : "PAID",
      ...costView(planPrice(organization)),
    };
  });
}

function startOfMonth(time: number, months: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

// Prices in cents a month. They are the emulator's own, and depend only on the configuration.

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

function planPrice({ spec }: Organization): number {
  return plans[spec.plan] ?? 0;
}

/** The monthly price of a cluster; a cluster on the user's machines costs nothing. */
function clusterPrice({ spec }: Cluster, nodes: number): number {
  if (spec.cloud_provider === "ON_PREMISE" || spec.kubernetes === "SELF_MANAGED") return 0;
  return CONTROL_PLANE + nodes * (NODE + (spec.disk_size ?? 0) * GIBIBYTE);
}

function costView(cents: number) {
  return { total_in_cents: cents, total: cents / 100, currency_code: "USD" };
}
