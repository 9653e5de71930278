import { randomBytes } from "node:crypto";
import { type Fields, isFields } from "../../../core/values/json.ts";
import { elementsIn, isDone, resourceIn, unexpected } from "./answers.ts";
import type { Server } from "./server.ts";
import { asNotKnown, NotKnown } from "./not-known.ts";
import { until } from "./wait.ts";

/** Where cases play: a server and, unless they only read, an environment of a throwaway project. */
export interface Stage {
  server: Server;
  organizationId: string;
  /** The name of the throwaway project, and of what a case makes beside it. */
  name: string;
  projectId: string;
  environmentId: string;
  clusterId: string;
  /** The registry that services name. Nothing is read from it unless a service is deployed. */
  registryId: string;
}

/** The description of a throwaway project. Together with the prefix of its name, it says that a project may be deleted. */
export const mark = "A throwaway project of the conformance tests of infrasync.";

/** The labels of a throwaway labels group, which say the same. */
export const markLabels = [
  { key: "infrasync-conformance", value: "throwaway", propagate_to_cloud_provider: false },
];

/** How many requests it takes at most to set up the stage, and to remove it. */
export const setUpRequests = 6;
export const removalRequests = 20;

/** A name for a new throwaway project. */
export function newProjectName(prefix: string): string {
  return `${prefix}${randomBytes(4).toString("hex")}`;
}

/** Creates the project and the environment in which cases play. @throws NotKnown if that cannot be done */
export async function setUp(server: Server, organizationId: string, name: string): Promise<Stage> {
  server.allow(setUpRequests);
  const clusterId = await firstId(server, `/organization/${organizationId}/cluster`, "cluster");
  const registries = `/organization/${organizationId}/containerRegistry`;
  const registryId = await firstId(server, registries, "container registry");
  const project = { name, description: mark };
  const { id: projectId } = resourceIn(
    await server.send("POST", `/organization/${organizationId}/project`, project),
  );
  const create = (cluster: object) =>
    server.send("POST", `/project/${projectId}/environment`, {
      name: "stage",
      mode: "DEVELOPMENT",
      ...cluster,
    });
  const names = [{ cluster: clusterId }, { cluster_id: clusterId }];
  let created = await create(Object.assign({}, ...names));
  for (const cluster of names) if (created.status === 400) created = await create(cluster);
  return {
    server,
    organizationId,
    name,
    projectId,
    environmentId: resourceIn(created).id,
    clusterId,
    registryId,
  };
}

async function firstId(server: Server, path: string, noun: string): Promise<string> {
  const id = elementsIn(await server.get(path)).find((element) => typeof element["id"] === "string")?.["id"];
  if (typeof id === "string") return id;
  throw new NotKnown(`the organization has no ${noun}, which the cases need`);
}

/** The resources that a run has left behind. */
export interface Leftover {
  noun: "project" | "cluster" | "labels group";
  name: string;
  /** Why it could not be removed. */
  reason?: string | undefined;
}

/**
 * Removes the throwaway projects whose names begin with the prefix, and then the throwaway clusters and labels groups, which
 * services of these projects may have used.
 *
 * @returns what was found, with the reason where it could not be removed
 * @throws NotKnown if the projects or the groups cannot be listed
 */
export async function removeAll(server: Server, organizationId: string, prefix: string): Promise<Leftover[]> {
  const found: Leftover[] = [];
  const removeEach = async (noun: Leftover["noun"], path: string, isMade: (each: Fields) => boolean) => {
    server.allow(1);
    const list = await server.get(path);
    for (const each of isGone(list) ? [] : elementsIn(list)) {
      const { id, name } = each;
      if (typeof id !== "string" || typeof name !== "string" || !isMade(each)) continue;
      if (!name.toLowerCase().startsWith(prefix.toLowerCase())) continue;
      const removal =
        noun === "project" ? removeProject(server, organizationId, id) : removeOne(server, `${path}/${id}`);
      const reason = await removal.then(
        () => undefined,
        (error: unknown) => asNotKnown(error).message,
      );
      found.push({ noun, name, reason });
    }
  };
  const organization = `/organization/${organizationId}`;
  await removeEach("project", `${organization}/project`, ({ description }) => description === mark);
  await removeEach("cluster", `${organization}/cluster`, ({ description }) => description === mark);
  await removeEach("labels group", `${organization}/labelsGroups`, ({ labels }) => hasMark(labels));
  return found;
}

function hasMark(labels: unknown): boolean {
  return (
    Array.isArray(labels) &&
    labels.length === 1 &&
    isFields(labels[0]) &&
    labels[0]["key"] === markLabels[0]?.key
  );
}

async function removeOne(server: Server, path: string): Promise<void> {
  server.allow(1);
  await remove(server, path);
}

/**
 * Removes a throwaway project with all that is in it: its environments first, because a server may refuse to delete a
 * project that is not empty.
 *
 * @throws NotKnown if that cannot be done, or takes longer than two minutes
 */
async function removeProject(server: Server, organizationId: string, projectId: string): Promise<void> {
  server.allow(removalRequests - 3);
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

/** Whether a resource of a case is gone; a server may answer 403 for what does not exist. */
export function isGone({ status }: { status: number }): boolean {
  return status === 404 || status === 403;
}
