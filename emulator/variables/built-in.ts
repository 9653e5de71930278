import type { GitRepositoryRequest } from "../bodies/common.ts";
import { branchOf } from "../git/repositories.ts";
import type { Environment, Project, Service, Variable } from "../world/records.ts";
import { externalHost, internalHost } from "../services/hosts.ts";
import { publicPorts } from "../services/links.ts";
import { databaseLogin, databaseName, databasePorts } from "../services/database.ts";
import type { World } from "../world/world.ts";

// Variables of the platform about the environment of a service.

/** Adds the built-in variables of a project: placeholders, which the platform fills in at a deployment. */
export function addProjectVariables({ id }: Project, world: World): void {
  add(id, { PROJECT_ID: "||Q_PRJ_ID||", PROJECT_NAME: "||Q_PRJ_NAME||" }, {}, world);
}

/** Adds the built-in variables of an environment, and of its cluster, which every service in it inherits. */
export function addEnvironmentVariables({ id, name, spec }: Environment, world: World): void {
  const cluster = world.store.clusters.peek(spec.clusterId);
  const variables = {
    ENVIRONMENT_ID: id,
    ENVIRONMENT_NAME: name,
    KUBERNETES_NAMESPACE_NAME: `z${id.slice(0, 8)}`,
    ...(cluster && {
      CLOUD_PROVIDER: cluster.spec.cloud_provider,
      CLOUD_PROVIDER_REGION: cluster.spec.region,
      KUBERNETES_CLUSTER_NAME: `cluster-z${cluster.id.slice(0, 8)}`,
      KUBERNETES_CLUSTER_VPC_ID: `vpc-${cluster.id.slice(0, 8)}`,
    }),
  };
  add(id, variables, {}, world);
}

/** Updates the built-in variables of a service, and those about it in its environment. */
export function tellAboutService(service: Service, world: World): void {
  const { id, parentId, kind } = service;
  const { variables } = world.store;
  const isOwn = kind === "application" || kind === "container" || kind === "job";
  if (isOwn && variables.allUnder(id).every(({ scope }) => scope !== "BUILT_IN"))
    add(id, { [`${kind.toUpperCase()}_ID`]: id }, {}, world);
  const present = new Map(variablesAbout(service, world).map((variable) => [variable.key, variable]));
  const keyOf = (member: string) => named(`${stemOf(service)}_${member}`, world);
  const valueOf = (member: string) => present.get(keyOf(member))?.value ?? undefined;
  const desired = membersOf(service, valueOf, world);
  const keys = new Set(desired.map(([member]) => keyOf(member)));
  for (const variable of present.values()) if (!keys.has(variable.key)) variables.remove(variable);
  for (const [member, value, is_secret = false] of desired) {
    const variable = present.get(keyOf(member));
    if (variable) variable.value = value;
    else add(parentId, { [`${stemOf(service)}_${member}`]: value }, { about: id, is_secret }, world);
  }
}

export function tellAboutName(environment: Environment, world: World): void {
  const key = named("ENVIRONMENT_NAME", world);
  for (const variable of world.store.variables.allUnder(environment.id))
    if (variable.key === key) variable.value = environment.name;
  for (const service of world.store.services.allUnder(environment.id)) tellAboutService(service, world);
}

/** The key of a variable about a service, without the prefix: `DATABASE_TYPE_Z0A1B2C3D`. */
function stemOf({ id, kind, spec }: Service): string {
  const sort = kind === "database" ? (spec as { type: string }).type : kind.toUpperCase();
  return `${sort}_Z${id.slice(0, 8).toUpperCase()}`;
}

type Member = [member: string, value: string, isSecret?: boolean];

/** The variables about a service. @param valueOf the present value, if the service has the variable already */
function membersOf(
  service: Service,
  valueOf: (member: string) => string | undefined,
  world: World,
): Member[] {
  const { id, kind } = service;
  if (kind === "database") return databaseMembers(service, valueOf, world);
  if (kind !== "application" && kind !== "container" && kind !== "helm") return [];
  const hosts: Member[] = [["HOST_INTERNAL", internalHost(service)]];
  if (publicPorts(service).length > 0) hosts.push(["HOST_EXTERNAL", externalHost(id)]);
  return kind === "application" ? [...hosts, ...applicationMembers(service, world)] : hosts;
}

function databaseMembers(
  { id, kind, spec }: Service,
  valueOf: (member: string) => string | undefined,
  world: World,
): Member[] {
  const { type } = spec as { type: keyof typeof databasePorts };
  const port = String(databasePorts[type]);
  const login = valueOf("LOGIN") ?? databaseLogin;
  const password = valueOf("PASSWORD") ?? world.newId();
  const internal = internalHost({ id, kind }, type);
  const external = `${internal}.apps.internal`;
  const url = (host: string) =>
    `${type.toLowerCase()}://${login}:${encodeURIComponent(password)}@${host}:${port}/${databaseName}`;
  return [
    ["HOST", external],
    ["HOST_INTERNAL", internal],
    ["PORT", port],
    ["LOGIN", login],
    ["PASSWORD", password, true],
    ["DATABASE", databaseName],
    ["DEFAULT_DATABASE_NAME", databaseName],
    ["DATABASE_URL", url(external), true],
    ["DATABASE_URL_INTERNAL", url(internal), true],
  ];
}

function applicationMembers({ name, parentId, spec, deployment }: Service, world: World): Member[] {
  const { git_repository: repository } = spec as { git_repository: GitRepositoryRequest };
  return [
    ["NAME", name],
    ["ENVIRONMENT_NAME", world.store.environments.peek(parentId)?.name ?? ""],
    ["GIT_BRANCH", branchOf(repository, world)],
    ["GIT_COMMIT_ID", deployment?.gitCommitId ?? ""],
  ];
}

export function masterCredentials(database: Service, world: World): object {
  const valueOf = (member: string) =>
    variablesAbout(database, world).find(({ key }) => key === named(`${stemOf(database)}_${member}`, world))
      ?.value ?? "";
  const port = Number(valueOf("PORT"));
  return { host: valueOf("HOST_INTERNAL"), port, login: valueOf("LOGIN"), password: valueOf("PASSWORD") };
}

export function variablesAbout(service: Service, { store }: World): Variable[] {
  return store.variables.allUnder(service.parentId).filter(({ about }) => about === service.id);
}

/** Adds variables, by their keys without the prefix. */
function add(
  parentId: string,
  values: Readonly<Record<string, string>>,
  rest: { about?: string; is_secret?: boolean },
  world: World,
): void {
  for (const [stem, value] of Object.entries(values)) {
    const key = named(stem, world);
    const base = world.base(parentId);
    world.store.variables.add({ ...base, key, value, scope: "BUILT_IN", is_secret: false, ...rest });
  }
}

function named(stem: string, { behaviour }: World): string {
  return `${behaviour.built_in_prefix}_${stem}`;
}
