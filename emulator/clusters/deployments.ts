import { conflict } from "../world/errors.ts";
import { events, states } from "../deployments/deployments.ts";
import type { Cluster } from "../world/records.ts";
import type { Operation } from "../world/operations.ts";
import type { World } from "../world/world.ts";
import { lockOf } from "./locks.ts";

const PHASES = 2;

/** Runs when a phase of the deployment of a cluster ends. */
export function registerClusters(world: World): void {
  world.operations.onFinish("cluster", (operation) => advance(operation, world));
}

/** Starts to deploy or stop a cluster; throws 409 while another operation uses it or a lock forbids it. */
export function startClusterDeployment(
  cluster: Cluster,
  { action, fails }: { action: "DEPLOY" | "STOP"; fails: boolean },
  world: World,
): void {
  requireUnlocked(cluster, world);
  world.operations.requireIdle(cluster.id);
  if (action === "STOP" && !isDeployed(cluster))
    throw conflict(`the cluster ${cluster.name} is not deployed`);
  cluster.deployment = {
    ...cluster.deployment,
    id: world.newId(),
    action,
    state: states[action].queued,
    date: world.stamp(),
    fails,
    upToDate: action === "DEPLOY" || (cluster.deployment?.upToDate ?? false),
    isDeployed: isDeployed(cluster),
  };
  world.record(events[action].queued, world.store.clusters, cluster);
  const operation = { kind: "cluster" as const, holds: [cluster.id], subjects: [cluster.id] };
  world.operations.start({ ...operation, phase: "queued" }, phaseDuration(world));
}

/** Gives a seeded cluster the state after a deployment. */
export function markDeployed(cluster: Cluster, world: World): void {
  cluster.deployment = {
    id: world.newId(),
    action: "DEPLOY",
    state: states.DEPLOY.done,
    date: cluster.created_at,
    fails: false,
    upToDate: true,
    isDeployed: true,
  };
}

export function requireUnlocked(cluster: Cluster, world: World): void {
  const lock = lockOf(cluster, world);
  if (lock) throw conflict(`the cluster ${cluster.name} is locked by ${lock.ownerName}: ${lock.reason}`);
}

/** Whether the infrastructure of a cluster exists: since its first deployment, until it is stopped. */
export function isDeployed({ deployment }: Cluster): boolean {
  return deployment?.isDeployed ?? false;
}

function phaseDuration({ behaviour }: World): number {
  return behaviour.deploy_delay_ms / PHASES;
}

function advance({ kind, holds, subjects, phase }: Operation, world: World): void {
  const cluster = world.store.clusters.peek(subjects[0] ?? "");
  if (!cluster?.deployment) return;
  const { action, fails } = cluster.deployment;
  if (phase === "queued") {
    cluster.deployment.state = states[action].running;
    world.operations.start({ kind, holds, subjects, phase: "running" }, phaseDuration(world));
    return;
  }
  const end = fails ? "failed" : "done";
  cluster.deployment.state = states[action][end];
  if (!fails) cluster.deployment.isDeployed = action === "DEPLOY";
  else cluster.deployment.upToDate = false;
  world.record(events[action][end], world.store.clusters, cluster);
}
