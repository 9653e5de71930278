import type { Deployment, DeploymentAction, Environment, Service } from "../world/records.ts";
import type { Operation } from "../world/operations.ts";
import { kindOf } from "../services/index.ts";
import type { DeployRequest } from "../services/kind.ts";
import { commitView, latestCommit, repositoryAt, sourceOf } from "../git/repositories.ts";
import { tellAboutService } from "../variables/built-in.ts";
import { notify } from "./webhooks.ts";
import type { World } from "../world/world.ts";

type Phase = "queued" | "building" | "running" | "canceling";

/** The states of a deployment, of a cluster too, in the API description. */
export const states = {
  DEPLOY: { queued: "DEPLOYMENT_QUEUED", running: "DEPLOYING", done: "DEPLOYED", failed: "DEPLOYMENT_ERROR" },
  STOP: { queued: "STOP_QUEUED", running: "STOPPING", done: "STOPPED", failed: "STOP_ERROR" },
  RESTART: { queued: "RESTART_QUEUED", running: "RESTARTING", done: "RESTARTED", failed: "RESTART_ERROR" },
} as const;

export const events = {
  DEPLOY: { queued: "DEPLOY_QUEUED", done: "DEPLOYED", failed: "DEPLOY_FAILED" },
  STOP: { queued: "STOP_QUEUED", done: "STOPPED", failed: "STOP_FAILED" },
  RESTART: { queued: "RESTART_QUEUED", done: "RESTARTED", failed: "RESTART_FAILED" },
} as const;

const next: Record<Phase, Phase | "end"> = {
  queued: "building",
  building: "running",
  running: "end",
  canceling: "end",
};

const PHASES = 3;

// The number of deployments that an environment keeps in its history, because a server can run for months.
const KEPT_DEPLOYMENTS = 200;

export interface DeploymentOrder {
  action: DeploymentAction;
  environment: Environment;
  services: Service[];
  versions?: Map<string, DeployRequest>;
  /** Whether the deployment includes the whole environment, not only these services. */
  whole?: boolean;
  /** True, or the reason, if a fault makes the deployment fail. */
  fails?: boolean | string;
}

export function registerDeployments(world: World): void {
  world.operations.onFinish("deployment", (operation) => advance(operation, world));
}

/** Starts a deployment; throws 409 while another operation uses one of its services. */
export function startDeployment(order: DeploymentOrder, world: World): Deployment {
  const { action, environment, services, whole = false, fails = false } = order;
  const ids = services.map(({ id }) => id);
  const holds = whole ? [environment.id, ...ids] : ids;
  world.operations.requireIdle(...holds);
  world.operations.requireStaying(environment.id);
  const deployment = world.store.deployments.add({
    ...world.base(environment.id),
    action,
    state: states[action].queued,
    outcome: "QUEUED",
    triggeredBy: world.actor.name,
    fails,
    services: [],
  });
  environment.lastDeploymentId = deployment.id;
  forgetOld(environment, world);
  for (const service of services) take(service, deployment, order.versions?.get(service.id) ?? {}, world);
  // The history has the requested version.
  deployment.services = services.map((service) => ({
    id: service.id,
    name: service.name,
    kind: service.kind,
    stage: service.stage.stageId,
    details: { ...kindOf(service).details(service.spec), ...commitOf(service, world) },
  }));
  tell(deployment, events[action].queued, world);
  notify(world, deployment, "started");
  world.operations.start(
    { kind: "deployment", holds, subjects: [deployment.id], phase: "queued" },
    part(world),
  );
  return deployment;
}

/** Keeps every deployment in progress, however old it is. */
function forgetOld({ id }: Environment, { store }: World): void {
  const ended = store.deployments.allUnder(id).filter(({ endedAt }) => endedAt !== undefined);
  for (const deployment of ended.slice(0, -KEPT_DEPLOYMENTS)) store.deployments.remove(deployment);
}

/** Cancels the deployments in progress of an environment; with `force` they end at once. */
export function cancelDeployments(environment: Environment, force: boolean, world: World): void {
  const ids = world.store.services.allUnder(environment.id).map(({ id }) => id);
  for (const operation of world.operations.on(environment.id, ...ids)) {
    if (operation.phase !== "canceling") cancelDeployment(operation, force, world);
  }
}

/** Cancels a deployment in progress; other operations continue. */
export function cancelDeployment(operation: Operation, force: boolean, world: World): void {
  const deployment = world.store.deployments.peek(operation.subjects[0] ?? "");
  if (!deployment) return;
  world.operations.abandon(operation);
  setState(deployment, "CANCELING", "CANCELING", world);
  tell(deployment, "TRIGGER_CANCEL", world);
  const { kind, holds, subjects } = operation;
  world.operations.start({ kind, holds, subjects, phase: "canceling" }, force ? 0 : part(world));
}

function part({ behaviour }: World): number {
  return behaviour.deploy_delay_ms / PHASES;
}

/** The commit of a service in the history; empty if unknown. */
function commitOf(service: Service, world: World): object {
  const id = service.deployment?.gitCommitId;
  if (id === undefined) return {};
  const repository = kindOf(service).repository?.(service.spec);
  const commits = repository && repositoryAt(repository.url, world)?.spec.commits;
  const known = commits?.find(({ git_commit_id }) => git_commit_id === id);
  return { commit: commitView(known ?? { git_commit_id: id, created_at: service.created_at }) };
}

function take(service: Service, deployment: Deployment, given: DeployRequest, world: World): void {
  // Some clients send an empty text to leave the version unchanged.
  const version: DeployRequest = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ""));
  const { deployed } = kindOf(service);
  if (deployed) service.spec = deployed(service.spec, version);
  service.deployment = {
    id: deployment.id,
    action: deployment.action,
    state: deployment.state,
    outcome: deployment.outcome,
    date: deployment.created_at,
    upToDate: deployment.action === "DEPLOY" || (service.deployment?.upToDate ?? false),
    ...commitFor(service, version, deployment, world),
  };
  tellAboutService(service, world);
}

/** The commit of a service after a deployment: the requested one, the present one, or the latest of its branch. */
function commitFor(
  service: Service,
  { git_commit_id: requested }: DeployRequest,
  { action }: Deployment,
  world: World,
): Pick<NonNullable<Service["deployment"]>, "gitCommitId" | "gitSource"> {
  const { gitCommitId, gitSource } = service.deployment ?? {};
  const present = { ...(gitCommitId !== undefined && { gitCommitId }), ...(gitSource && { gitSource }) };
  const repository = kindOf(service).repository?.(service.spec);
  if (action !== "DEPLOY" || !repository) return present;
  const source = sourceOf(repository, world);
  const commitId = gitSource === source ? gitCommitId : undefined;
  return { gitCommitId: requested ?? commitId ?? latestCommit(repository, world), gitSource: source };
}

function advance({ kind, holds, subjects, phase = "queued" }: Operation, world: World): void {
  const deployment = world.store.deployments.peek(subjects[0] ?? "");
  if (!deployment) return;
  const following = next[phase as Phase];
  if (following === "end") {
    finish(deployment, phase === "canceling", world);
    return;
  }
  setState(deployment, states[deployment.action].running, "ONGOING", world);
  if (following === "building") markBuilding(deployment, world);
  world.operations.start({ kind, holds, subjects, phase: following }, part(world));
}

function finish(deployment: Deployment, canceled: boolean, world: World): void {
  const { action, fails } = deployment;
  deployment.endedAt = world.stamp();
  if (canceled) {
    setState(deployment, "CANCELED", "CANCELED", world);
    notify(world, deployment, "canceled");
    return;
  }
  const end = fails ? "failed" : "done";
  setState(deployment, states[action][end], fails ? "ERROR" : "SUCCESS", world);
  tell(deployment, events[action][end], world);
  notify(world, deployment, end);
}

function setState(deployment: Deployment, state: string, outcome: Deployment["outcome"], world: World): void {
  world.store.deployments.change(deployment, { state, outcome, updated_at: world.stamp() });
  for (const service of servicesOf(deployment, world)) {
    if (service.deployment) service.deployment = { ...service.deployment, state, outcome };
  }
}

/** A service with a git repository is built before it is deployed. */
function markBuilding(deployment: Deployment, world: World): void {
  if (deployment.action !== "DEPLOY") return;
  for (const service of servicesOf(deployment, world)) {
    if (kindOf(service).isBuilt?.(service.spec) && service.deployment) service.deployment.state = "BUILDING";
  }
}

function servicesOf(deployment: Deployment, { store }: World): Service[] {
  return deployment.services.flatMap(({ id }) => store.services.peek(id) ?? []);
}

function tell(deployment: Deployment, event: string, world: World): void {
  const { environments, services } = world.store;
  const environment = environments.peek(deployment.parentId);
  for (const service of servicesOf(deployment, world)) world.record(event, services, service);
  if (environment) world.record(event, environments, environment);
}
