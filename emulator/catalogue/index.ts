import type { Route } from "../http/routing.ts";
import { gitTokenRoutes } from "./git-tokens.ts";
import { groupRoutes } from "./groups.ts";
import { helmRepositoryRoutes } from "./helm-repositories.ts";
import { registryRoutes } from "./registries.ts";

/** What services refer to by id: registries, Helm repositories, git tokens, annotation groups, label groups. */
export const catalogueRoutes: Route[] = [
  ...registryRoutes,
  ...helmRepositoryRoutes,
  ...gitTokenRoutes,
  ...groupRoutes,
];
