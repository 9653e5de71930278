import { list, type Route } from "../http/routing.ts";
import { registryDetails } from "../services/shared.ts";
import { countUses } from "../world/references.ts";
import { collection } from "./collection.ts";
import { ContainerRegistryRequest, registryKinds } from "../bodies/catalogue.ts";
import { readable } from "./secrets.ts";

/** Container registries, and the kinds that a registry can have. */
export const registryRoutes: Route[] = [
  list(
    "/availableContainerRegistry",
    () => Object.entries(registryKinds),
    ([kind, members]) => available(kind, members),
  ),
  ...collection<ContainerRegistryRequest>({
    path: "containerRegistry",
    id: "containerRegistryId",
    table: (store) => store.registries,
    body: ContainerRegistryRequest,
    view: ({ id, created_at, updated_at, spec }, world) => ({
      created_at,
      updated_at,
      description: "",
      ...spec,
      ...registryDetails(id, world),
      associated_services_count: countUses(id, world),
      config: readable(spec.config),
    }),
  }),
];

/** A kind in the list of those that can be created: the members that its configuration needs, each with its type. */
export function available(kind: string, members: readonly string[]): object {
  const required_config = Object.fromEntries(members.map((member) => [member, { type: "string" }]));
  return { kind, required_config, is_mandatory: members.length > 0 };
}
