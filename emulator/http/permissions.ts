import { HttpError } from "../world/errors.ts";
import type { CustomRole, Environment, AssignedRole, Project } from "../world/records.ts";
import type { World } from "../world/world.ts";

// The permissions of a custom role. The API description names the permissions without the operations of each; the
// emulator's reading: VIEWER reads, DEPLOYER also deploys, stops, restarts and cancels, MANAGER also writes. Changes of
// a project itself need its admin; a new environment needs MANAGER for its mode, and ENV_CREATOR on its cluster.
// Everything else of the organization can be read and not changed.

const levels = ["NO_ACCESS", "VIEWER", "DEPLOYER", "MANAGER"] as const;
type Level = (typeof levels)[number];

const clusterLevels = ["VIEWER", "ENV_CREATOR", "ADMIN"] as const;

/** The requested operation, and the ids in path, query and body. */
export interface Request {
  method: string;
  /** As in the API description: `/job/{jobId}`. */
  path: string;
  parameters: string[];
  query: Record<string, string | undefined>;
  body: unknown;
}

const deploying = /\/(deploy|redeploy|stop|restart-service|cancelDeployment)$/;

// The members of a query or a body that name a changed resource.
const placeMembers = [
  "parent_id",
  "service_id",
  "environment_id",
  "variable_parent_id",
  "alias_parent_id",
  "override_parent_id",
  "deploymentRequestId",
];

export function requirePermission({ customRoleId = "" }: AssignedRole, request: Request, world: World): void {
  const role = roleOf(customRoleId, world);
  const needed = levelOf(request);
  const body = membersOf(request.body);
  const named = placeMembers.flatMap((member) => request.query[member] ?? body[member] ?? []);
  const places = [...request.parameters, ...named];
  const known = places.filter((id) => requirePlace(role, id, needed, request, world));
  if (known.length === 0 && needed !== "VIEWER") throw refused(role, "the organization", "Admin or Write");
  if (isCreation(request)) requireCreation(role, request, body, world);
}

/** Whether the role of a token allows to read an element of a list. */
export function mayRead({ role, customRoleId = "" }: AssignedRole, element: unknown, world: World): boolean {
  if (role !== "Custom") return true;
  const { id } = membersOf(element);
  if (id === undefined) return true;
  const custom = roleOf(customRoleId, world);
  const environment = environmentAt(id, world);
  if (environment) return allows(levelIn(custom, environment.parentId, environment.spec.mode), "VIEWER");
  const project = world.store.projects.peek(id);
  return project === undefined || seesProject(custom, project);
}

function roleOf(id: string, { store }: World): CustomRole {
  const role = store.customRoles.find(id);
  if (!role) throw new HttpError(403, "the role of the token does not exist");
  return role;
}

function levelOf({ method, path }: Request): Level {
  if (method === "GET") return /\/(kubeconfig|token)$/.test(path) ? "MANAGER" : "VIEWER";
  return method === "POST" && deploying.test(path) ? "DEPLOYER" : "MANAGER";
}

/** Checks one resource; false: permissions do not cover the id. */
function requirePlace(role: CustomRole, id: string, needed: Level, request: Request, world: World): boolean {
  const { store } = world;
  const environment = environmentAt(id, world);
  if (environment) {
    requireLevel(role, environment.parentId, environment.spec.mode, needed, environment.name);
    return true;
  }
  const cluster = store.clusters.find(id);
  if (cluster) {
    if (needed !== "VIEWER") requireCluster(role, cluster.id, "ADMIN", world);
    return true;
  }
  const project = store.projects.find(store.variables.find(id)?.parentId ?? id);
  if (!project) return false;
  if (needed === "VIEWER") {
    if (!seesProject(role, project)) throw refused(role, `the project ${project.name}`, "VIEWER");
  } else if (!isCreation(request) && !isAdmin(role, project.id)) {
    throw refused(role, `the project ${project.name}`, "admin");
  }
  return true;
}

/** The environment in which a service, a deployment, a stage or a variable is, or the environment with this id. */
function environmentAt(id: string, { store }: World): Environment | undefined {
  const holder =
    [store.variables, store.stages, store.deployments].map((table) => table.find(id)).find(Boolean)
      ?.parentId ?? id;
  return store.environments.find(store.services.find(holder)?.parentId ?? holder);
}

function isCreation({ method, path }: Request): boolean {
  return (
    method === "POST" &&
    (path === "/project/{projectId}/environment" || path === "/environment/{environmentId}/clone")
  );
}

/** A new environment: its mode in its project, and its cluster. */
function requireCreation(
  role: CustomRole,
  { parameters: [parentId = ""] }: Request,
  body: Record<string, string>,
  world: World,
): void {
  const source = world.store.environments.find(parentId);
  const projectId = body["project_id"] ?? source?.parentId ?? parentId;
  const mode = body["mode"] ?? source?.spec.mode ?? "DEVELOPMENT";
  requireLevel(role, projectId, mode, "MANAGER", `a new environment of the mode ${mode}`);
  const clusterId = body["cluster"] ?? body["cluster_id"] ?? source?.spec.clusterId;
  const cluster = clusterId ?? world.store.clusters.under(role.parentId)[0]?.id ?? "";
  requireCluster(role, cluster, "ENV_CREATOR", world);
}

function requireLevel(role: CustomRole, projectId: string, mode: string, needed: Level, what: string): void {
  if (!allows(levelIn(role, projectId, mode), needed)) throw refused(role, what, needed);
}

function requireCluster(
  role: CustomRole,
  id: string,
  needed: (typeof clusterLevels)[number],
  { store }: World,
): void {
  const { permission = "VIEWER" } =
    role.spec.cluster_permissions.find(({ cluster_id }) => cluster_id === id) ?? {};
  if (clusterLevels.indexOf(permission) < clusterLevels.indexOf(needed))
    throw refused(role, `the cluster ${store.clusters.find(id)?.name ?? id}`, needed);
}

function levelIn(role: CustomRole, projectId: string, mode: string): Level {
  if (isAdmin(role, projectId)) return "MANAGER";
  const { permissions = [] } = projectOf(role, projectId) ?? {};
  return permissions.find(({ environment_type }) => environment_type === mode)?.permission ?? "NO_ACCESS";
}

function allows(level: Level, needed: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(needed);
}

function isAdmin(role: CustomRole, projectId: string): boolean {
  return projectOf(role, projectId)?.is_admin ?? false;
}

function seesProject(role: CustomRole, { id }: Project): boolean {
  const { permissions = [] } = projectOf(role, id) ?? {};
  return isAdmin(role, id) || permissions.some(({ permission }) => permission !== "NO_ACCESS");
}

function projectOf({ spec }: CustomRole, projectId: string) {
  return spec.project_permissions.find(({ project_id }) => project_id === projectId);
}

function refused({ name }: CustomRole, what: string, needed: string): HttpError {
  return new HttpError(
    403,
    `the role ${name} of the token does not allow this on ${what}; it needs ${needed}`,
  );
}

/** The text members of a body, which is not checked yet. */
function membersOf(body: unknown): Record<string, string> {
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string")) as Record<
    string,
    string
  >;
}
