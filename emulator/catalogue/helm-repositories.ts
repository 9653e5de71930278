import { list, type Route } from "../http/routing.ts";
import { countUses } from "../world/references.ts";
import { collection } from "./collection.ts";
import { available } from "./registries.ts";
import { HelmRepositoryRequest, helmRepositoryKinds } from "../bodies/catalogue.ts";
import { readable } from "./secrets.ts";

/** Helm repositories, and the kinds that a repository can have. */
export const helmRepositoryRoutes: Route[] = [
  list(
    "/availableHelmRepository",
    () => Object.entries(helmRepositoryKinds),
    ([kind, members]) => available(kind, members),
  ),
  ...collection<HelmRepositoryRequest>({
    path: "helmRepository",
    id: "helmRepositoryId",
    table: (store) => store.helmRepositories,
    body: HelmRepositoryRequest,
    view: ({ id, created_at, updated_at, spec }, world) => ({
      id,
      created_at,
      updated_at,
      url: "",
      description: "",
      ...spec,
      associated_services_count: countUses(id, world),
      config: readable(spec.config),
    }),
  }),
];
