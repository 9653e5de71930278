import { startDeletion } from "../lifecycle/removal.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, list, post, put, remove, type Route } from "../http/routing.ts";
import { addOwner } from "../members/account.ts";
import type { Organization } from "../world/records.ts";
import { OrganizationEditRequest, OrganizationRequest } from "../bodies/organization.ts";

export const organizationRoutes: Route[] = [
  list("/organization", ({ world }) => world.store.organizations.all(), organizationView),
  post("/organization", 201, OrganizationRequest, ({ world, body: spec }) => {
    const desired = { ...world.base(""), name: spec.name, spec };
    const organization = world.add(world.store.organizations, desired);
    addOwner(organization.id, world);
    return organizationView(organization);
  }),
  get("/organization/{organizationId}", (call) => organizationView(organizationOf(call))),
  put("/organization/{organizationId}", OrganizationEditRequest, (call, world, body) => {
    const organization = organizationOf(call);
    const changes = { name: body.name, spec: { plan: organization.spec.plan, ...body } };
    return organizationView(world.update(world.store.organizations, organization, changes));
  }),
  remove("/organization/{organizationId}", (call) => startDeletion([organizationOf(call).id], call.world)),
];

export function organizationView({ id, created_at, updated_at, spec }: Organization) {
  const organization_plan = { plan: spec.plan, audit_logs_retention_in_days: 30 };
  const { description } = spec;
  return { id, created_at, updated_at, ...spec, description: description ?? "", organization_plan };
}
