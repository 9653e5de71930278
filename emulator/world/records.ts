import type { Static } from "typebox";
import type {
  AnnotationsGroupRequest,
  ContainerRegistryRequest,
  GitTokenRequest,
  HelmRepositoryRequest,
  LabelsGroupRequest,
} from "../bodies/catalogue.ts";
import type { ArgoCd, ClusterRequest, DnsProvider, Lock, RoutingTable } from "../bodies/clusters.ts";
import type { CredentialsSpec } from "../bodies/credentials.ts";
import type { CustomRoleSpec } from "../bodies/roles.ts";
import type { BillingInfoRequest, OrganizationRequest, WebhookRequest } from "../bodies/organization.ts";
import type { EnvironmentRule, ProjectRuleSpec } from "../bodies/rules.ts";
import type { GitRepositorySeed } from "../bodies/git.ts";
import { Table, type Entity } from "./store.ts";

/** A resource with a name; `spec` is the request body that created it, with all defaults. */
export interface NamedResource<Spec = object> extends Entity {
  name: string;
  spec: Spec;
}

export interface Organization extends NamedResource<OrganizationRequest> {
  billing?: Static<typeof BillingInfoRequest>;
}

export type Project = NamedResource<{ description?: string }>;

export interface Environment extends NamedResource<{ mode: string; clusterId: string }> {
  lastDeploymentId?: string;
  /** Undefined until a request changes it, or a rule of its project applies. */
  rule?: EnvironmentRule;
}

/** A deployment rule that a project has for its new environments. */
export interface ProjectRule extends NamedResource<ProjectRuleSpec> {
  /** Its place among the rules of the project, from 0. */
  order: number;
}

export type ServiceKindName = "application" | "container" | "database" | "helm" | "job" | "terraform";

/** A service. Only its kind knows the type of the spec. */
export interface Service extends NamedResource {
  kind: ServiceKindName;
  stage: { id: string; stageId: string; isSkipped: boolean };
  /** Undefined until its first deployment. */
  deployment?: {
    id: string;
    action: DeploymentAction;
    state: string;
    outcome: DeploymentOutcome;
    date: string;
    /** False after a change that has not been deployed. */
    upToDate: boolean;
    gitCommitId?: string;
    /** The repository and the branch of that commit. */
    gitSource?: string;
  };
  settings?: object;
  /** The network settings that requests have set. */
  network?: object;
}

export type DeploymentAction = "DEPLOY" | "STOP" | "RESTART";
type DeploymentOutcome = "QUEUED" | "ONGOING" | "SUCCESS" | "ERROR" | "CANCELING" | "CANCELED";

/** One deployment of an environment, or of some of its services; its parent is the environment. */
export interface Deployment extends Entity {
  action: DeploymentAction;
  state: string;
  outcome: DeploymentOutcome;
  triggeredBy: string;
  /** True, or the reason, if a fault makes the deployment fail. */
  fails: boolean | string;
  endedAt?: string;
  services: { id: string; name: string; kind: ServiceKindName; stage: string; details: object }[];
}

export type Role = Scope | "Owner" | "DevOps" | "Billing" | "Viewer";

export type Scope = "Admin" | "Read" | "Deploy" | "Write";

/** The role of a token or a member. "Custom": `customRoleId` is the role. */
export interface AssignedRole {
  role: Role | "Custom";
  customRoleId?: string;
}

export interface ApiToken extends NamedResource<
  AssignedRole & { description?: string; expires_at?: string }
> {
  secret: string;
}

/** A role that an organization has defined itself. */
export type CustomRole = NamedResource<CustomRoleSpec>;

/** The person whose tokens use the emulator. */
export interface Account extends Entity {
  email: string;
}

/** A member of an organization; its name is the email address. */
export interface Member extends NamedResource<AssignedRole> {
  userId: string;
}

/** An invitation that is not accepted yet; its name is the email address. */
export type Invitation = NamedResource<AssignedRole>;

export type Credentials = NamedResource<CredentialsSpec>;

export interface Cluster extends NamedResource<ClusterRequest> {
  deployment?: {
    id: string;
    action: "DEPLOY" | "STOP";
    state: string;
    date: string;
    /** True when a fault makes it fail. */
    fails: boolean;
    upToDate: boolean;
    isDeployed: boolean;
  };
  /** The advanced settings that requests have set; all others have their defaults. */
  settings?: object;
  routes?: RoutingTable;
  /** A kubeconfig that a request has set. */
  kubeconfig?: string;
  dns?: DnsProvider;
  argoCd?: ArgoCd;
  lock?: Lock;
}

/** A variable or a secret of a project, an environment or a service. */
export interface Variable extends Entity {
  key: string;
  scope: string;
  value: string | null;
  is_secret: boolean;
  mount_path?: string | null | undefined;
  description?: string | null;
  enable_interpolation_in_file?: boolean | null;
  secret_manager_access_id?: string | null;
  aliasOf?: string | undefined;
  overrides?: string;
  /** The service that a built-in variable describes. */
  about?: string;
}

/** A deployment stage; its parent is an environment. */
export interface Stage extends NamedResource<{ description?: string | null }> {
  order: number;
}

/** A backup; its parent is a database. */
export type Backup = NamedResource<{ message: string }>;

/** A resource that the API keeps as it was sent, without other uses. */
export type Document = NamedResource<Readonly<Record<string, unknown>>>;

/** A seeded repository; its name is that of its provider, `acme/web`, its parent an organization. */
export type GitRepository = NamedResource<GitRepositorySeed>;

export interface Delivery extends Entity {
  event: string;
  url: string;
  request: object;
  status: number;
  answer: string | null;
}

export type Webhook = Entity & { spec: WebhookRequest };

export function createStore() {
  return {
    organizations: new Table<Organization>("organization"),
    apiTokens: new Table<ApiToken>("API token", "API_TOKEN"),
    accounts: new Table<Account>("account"),
    members: new Table<Member>("member", "MEMBER_ROLE"),
    invitations: new Table<Invitation>("invitation", "INVITATION"),
    customRoles: new Table<CustomRole>("custom role", "CUSTOM_ROLE"),
    webhooks: new Table<Webhook>("webhook"),
    credentials: new Table<Credentials>("credentials", "CLUSTER_CREDENTIALS"),
    clusters: new Table<Cluster>("cluster"),
    registries: new Table<NamedResource<ContainerRegistryRequest>>("container registry"),
    helmRepositories: new Table<NamedResource<HelmRepositoryRequest>>("helm repository"),
    gitTokens: new Table<NamedResource<GitTokenRequest>>("git token", "GIT_TOKEN"),
    annotationsGroups: new Table<NamedResource<AnnotationsGroupRequest>>(
      "annotations group",
      "ANNOTATIONS_GROUP",
    ),
    labelsGroups: new Table<NamedResource<LabelsGroupRequest>>("labels group", "LABELS_GROUP"),
    projects: new Table<Project>("project"),
    projectRules: new Table<ProjectRule>("deployment rule", "DEPLOYMENT_RULE"),
    environments: new Table<Environment>("environment"),
    stages: new Table<Stage>("deployment stage", "DEPLOYMENT_STAGE"),
    variables: new Table<Variable>("variable", "VARIABLE"),
    services: new Table<Service>("service"),
    backups: new Table<Backup>("backup", "CONFIG"),
    // Of a service.
    restrictions: new Table<Entity & { spec: { mode: string; type: string; value: string } }>(
      "deployment restriction",
      "DEPLOYMENT_RULE",
    ),
    customDomains: new Table<
      NamedResource<{ domain: string; generate_certificate: boolean; use_cdn?: boolean }>
    >("custom domain", "CUSTOM_DOMAIN"),
    deployments: new Table<Deployment>("deployment"),
    deliveries: new Table<Delivery>("event of a webhook"),
    gitRepositories: new Table<GitRepository>("git repository"),
    analyses: new Table<Document>("analysis of a cluster"),
    alertReceivers: new Table<Document>("alert receiver", "ALERT_RECEIVER"),
  };
}

export type Store = ReturnType<typeof createStore>;
