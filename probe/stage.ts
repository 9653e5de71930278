import { randomBytes } from "node:crypto";
import { isFields } from "../core/json.ts";
import { elementsIn, isDone, resourceIn, unexpected } from "./answers.ts";
import type { Server } from "./server.ts";
import { NotKnown } from "./not-known.ts";
import { until } from "./wait.ts";

/** Where stories play: a server and, unless they only read, an environment of a throwaway project. */
export interface Stage {
  server: Server;
  organizationId: string;
  projectId: string;
  environmentId: string;
  clusterId: string;
  /** The registry that services name. Nothing is read from it unless a service is deployed. */
  registryId: string;
}

/** The description of a throwaway project. Together with the prefix of its name, it says that a project may be deleted. */
const mark = "A throwaway project of infrasync probe.";

/** How many requests it takes at most to set up the stage, and to remove it. */
export const setUpRequests = 4;
export const removalRequests = 18;

/** A name for a new throwaway project. */
export function newProjectName(prefix: string): string {
  return `${prefix}${randomBytes(4).toString("hex")}`;
}

/** Creates the project and the environment in which stories play. @throws NotKnown if that cannot be done */
export async function setUp(server: Server, organizationId: string, name: string): Promise<Stage> {
  server.allow(setUpRequests);
  const clusterId = await firstId(server, `/organization/${organizationId}/cluster`, "cluster");
  const registries = `/organization/${organizationId}/containerRegistry`;
  const registryId = await firstId(server, registries, "container registry");
  const project = { name, description: mark };
  const { id: projectId } = resourceIn(
    await server.send("POST", `/organization/${organizationId}/project`, project),
  );
  const environment = { name: "stage", mode: "DEVELOPMENT", cluster: clusterId, cluster_id: clusterId };
  const created = await server.send("POST", `/project/${projectId}/environment`, environment);
  return { server, organizationId, projectId, environmentId: resourceIn(created).id, clusterId, registryId };
}

async function firstId(server: Server, path: string, noun: string): Promise<string> {
  const id = elementsIn(await server.get(path)).find((element) => typeof element["id"] === "string")?.["id"];
  if (typeof id === "string") return id;
  throw new NotKnown(`the organization has no ${noun}, which the stories need`);
}

/** A project that an earlier run has left behind. */
export interface Leftover {
  id: string;
  name: string;
}

/** The throwaway projects whose names begin with the prefix; one request. */
export async function findLeftovers(
  server: Server,
  organizationId: string,
  prefix: string,
): Promise<Leftover[]> {
  server.allow(1);
  return elementsIn(await server.get(`/organization/${organizationId}/project`)).flatMap(
    ({ id, name, description }) =>
      typeof id === "string" &&
      typeof name === "string" &&
      name.toLowerCase().startsWith(prefix.toLowerCase()) &&
      description === mark
        ? [{ id, name }]
        : [],
  );
}

/**
 * Removes a throwaway project with all that is in it: its environments first, because a server may refuse to delete a
 * project that is not empty.
 *
 * @throws NotKnown if that cannot be done, or takes longer than two minutes
 */
export async function removeProject(
  server: Server,
  organizationId: string,
  projectId: string,
): Promise<void> {
  server.allow(removalRequests - 1);
  const environments = await server.get(`/project/${projectId}/environment`);
  const inside = isGone(environments) ? [] : elementsIn(environments);
  for (const { id } of inside) await remove(server, `/environment/${String(id)}`);
  const isEmpty = await until(server, 6, async () => {
    const left = await server.get(`/project/${projectId}/environment`);
    return isGone(left) || elementsIn(left).length === 0 || undefined;
  });
  if (!isEmpty) throw new NotKnown("the deletion of its environments takes longer than 30 s");
  await remove(server, `/project/${projectId}`);
  const isRemoved = await until(server, 6, async () => {
    const projects = elementsIn(await server.get(`/organization/${organizationId}/project`));
    return !projects.some((each) => isFields(each) && each["id"] === projectId) || undefined;
  });
  if (!isRemoved) throw new NotKnown("its deletion takes longer than 30 s");
}

async function remove(server: Server, path: string): Promise<void> {
  const answer = await server.send("DELETE", path);
  if (!isDone(answer) && !isGone(answer)) throw unexpected(answer);
}

/** Whether a resource of the probe is gone; a server may answer 403 for what does not exist. */
export function isGone({ status }: { status: number }): boolean {
  return status === 404 || status === 403;
}
