import { OnboardingRequest } from "../bodies/organization.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, post, type Route } from "../http/routing.ts";
import type { Organization } from "../world/records.ts";

const path = "/organization/{organizationId}/onboarding";

/** The progress of an organization's first steps. */
export const onboardingRoutes: Route[] = [
  get(path, (call) => onboardingView(organizationOf(call))),
  post(path, 200, OnboardingRequest, (call) => {
    const { world, body: onboarding } = call;
    return onboardingView(world.store.organizations.change(organizationOf(call), { onboarding }));
  }),
];

function onboardingView({ onboarding }: Organization): object {
  return { use_cases: null, status: onboarding?.status ?? "IN_PROGRESS" };
}
