import { organizationOf } from "../http/lookup.ts";
import { get, put, type Route } from "../http/routing.ts";
import type { Organization } from "../world/records.ts";
import { BillingInfoRequest } from "../bodies/organization.ts";

const path = "/organization/{organizationId}/billingInfo";

const nothing = Object.fromEntries(
  Object.keys(BillingInfoRequest.properties).map((member) => [member, null]),
);

export const billingInfoRoutes: Route[] = [
  get(path, (call) => billingView(organizationOf(call))),
  put(path, BillingInfoRequest, (call, world, billing) => {
    const organization = organizationOf(call);
    return billingView(world.update(world.store.organizations, organization, { billing }));
  }),
];

function billingView({ billing }: Organization): object {
  return { ...nothing, ...billing };
}
