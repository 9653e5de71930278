import type {
  AnnotationsGroupRequest,
  ClusterRequest,
  ContainerRegistryRequest,
  GitTokenRequest,
  LabelsGroupRequest,
} from "./schemas/organization.ts";
import { Table } from "./store.ts";
import type { Entity } from "./store.ts";

/** The kinds of service, as they stand in paths. */
export type ServiceKindName = "application" | "container" | "database" | "job";

/** A resource with a name; `spec` is the request body that made it, defaults filled in. */
export interface Named<Spec = object> extends Entity {
  name: string;
  spec: Spec;
}

export type Project = Named<{ description?: string }>;

export interface Environment extends Named<{ mode: string; clusterId: string }> {
  organizationId: string;
}

/** What a service is, as its kind keeps it; only the kind looks inside. */
export interface Service extends Named {
  kind: ServiceKindName;
}

export type Role = "Admin" | "Read" | "Deploy" | "Write";

export interface ApiToken extends Named<{ description?: string; role: Role; expires_at?: string }> {
  secret: string;
}

/** The scopes in which a variable can be made; a built-in one has none. */
export interface Variable extends Entity {
  key: string;
  scope: string;
  value: string | null;
  is_secret: boolean;
  mount_path?: string | null;
  description?: string | null;
  enable_interpolation_in_file?: boolean | null;
  secret_manager_access_id?: string | null;
  aliasOf?: string;
  overrides?: string;
}

/** All that the emulator knows. */
export function createStore() {
  return {
    organizations: new Table<Named<{ description?: string }>>("organization"),
    apiTokens: new Table<ApiToken>("API token"),
    clusters: new Table<Named<ClusterRequest>>("cluster"),
    registries: new Table<Named<ContainerRegistryRequest>>("container registry"),
    gitTokens: new Table<Named<GitTokenRequest>>("git token"),
    annotationsGroups: new Table<Named<AnnotationsGroupRequest>>("annotations group"),
    labelsGroups: new Table<Named<LabelsGroupRequest>>("labels group"),
    projects: new Table<Project>("project"),
    environments: new Table<Environment>("environment"),
    services: new Table<Service>("service"),
    variables: new Table<Variable>("variable"),
  };
}

export type Store = ReturnType<typeof createStore>;
