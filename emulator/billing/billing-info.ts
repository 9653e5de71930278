import { organizationOf } from "../http/lookup.ts";
import { get, put, type Route } from "../http/routing.ts";
import type { Organization } from "../world/records.ts";
import { BillingInfoRequest } from "../bodies/organization.ts";

const path = "/organization/{organizationId}/billingInfo";

const nothing = {
  first_name: null,
  last_name: null,
  email: null,
  address: null,
  city: null,
  zip: null,
  state: null,
  country_code: null,
  company: null,
  vat_number: null,
};

export const billingInfoRoutes: Route[] = [
  get(path, (call) => billingView(organizationOf(call))),
  put(path, BillingInfoRequest, (call) => {
    const { world, body: billing } = call;
    const organization = organizationOf(call);
    return billingView(world.update(world.store.organizations, organization, { billing }));
  }),
];

function billingView({ billing }: Organization): object {
  return { ...nothing, ...billing };
}
