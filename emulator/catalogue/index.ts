import {
  AnnotationsGroupRequest,
  ContainerRegistryRequest,
  GitTokenRequest,
  HelmRepositoryRequest,
  helmRepositoryKinds,
  LabelsGroupRequest,
  registryKinds,
} from "../bodies/catalogue.ts";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import { list, type Route } from "../http/routing.ts";
import { groupView, registryDetails } from "../services/common-fields.ts";
import { requireUnused, usersOf } from "../world/in-use.ts";
import type { NamedResource } from "../world/records.ts";
import { countUses } from "../world/references.ts";
import type { World } from "../world/world.ts";
import { stamps } from "../world/store.ts";

const ofOrganization = {
  parentOf: organizationOf,
  admit: <Spec extends { name: string }>(spec: Spec) => ({ name: spec.name, spec }),
  requireDeletable: ({ id, name }: NamedResource, world: World) =>
    requireUnused(name, usersOf(id, world), world),
};

const groups = {
  ...ofOrganization,
  view: groupView,
  listed: (group: NamedResource, world: World) => ({
    ...groupView(group),
    associated_items_count: countUses(group.id, world),
  }),
};

const gitUrls: Record<string, string> = {
  GITHUB: "https://api.github.com",
  GITLAB: "https://gitlab.com/api/v4",
  BITBUCKET: "https://api.bitbucket.org",
};

/** Entries to which services refer by id. No response contains a secret. */
export const catalogueRoutes: Route[] = [
  available("/availableContainerRegistry", registryKinds),
  ...collection({
    ...ofOrganization,
    path: "/organization/{organizationId}/containerRegistry",
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
  available("/availableHelmRepository", helmRepositoryKinds),
  ...collection({
    ...ofOrganization,
    path: "/organization/{organizationId}/helmRepository",
    id: "helmRepositoryId",
    table: (store) => store.helmRepositories,
    body: HelmRepositoryRequest,
    view: (repository, world) => ({
      ...stamps(repository),
      url: "",
      description: "",
      ...repository.spec,
      associated_services_count: countUses(repository.id, world),
      config: readable(repository.spec.config),
    }),
  }),
  ...collection({
    ...ofOrganization,
    path: "/organization/{organizationId}/gitToken",
    id: "gitTokenId",
    table: (store) => store.gitTokens,
    body: GitTokenRequest,
    view: (token, world) => {
      const { name, description = "", type, workspace, git_api_url = gitUrls[type] } = token.spec;
      const associated_services_count = countUses(token.id, world);
      return { ...stamps(token), name, description, type, workspace, git_api_url, associated_services_count };
    },
  }),
  ...collection({
    ...groups,
    path: "/organization/{organizationId}/annotationsGroups",
    id: "annotationsGroupId",
    table: (store) => store.annotationsGroups,
    body: AnnotationsGroupRequest,
  }),
  ...collection({
    ...groups,
    path: "/organization/{organizationId}/labelsGroups",
    id: "labelsGroupId",
    table: (store) => store.labelsGroups,
    body: LabelsGroupRequest,
  }),
];

/** The kinds that can be created: the members that the configuration of each needs, with their types. */
function available(path: string, kinds: Readonly<Record<string, readonly string[]>>): Route {
  return list(
    path,
    () => Object.entries(kinds),
    ([kind, members]) => ({
      kind,
      required_config: Object.fromEntries(members.map((member) => [member, { type: "string" }])),
      is_mandatory: members.length > 0,
    }),
  );
}

// Members of a configuration that can be written but not read.
const secretMembers = new Set(["secret_access_key", "scaleway_secret_key", "json_credentials", "password"]);

function readable(config: object): object {
  return Object.fromEntries(Object.entries(config).filter(([member]) => !secretMembers.has(member)));
}
