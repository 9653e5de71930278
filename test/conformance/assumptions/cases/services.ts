import type { Fields } from "../../../../core/values/json.ts";
import { elementsIn, resourceIn } from "../answers.ts";
import type { Stage } from "../stage.ts";

/** The body of a job that only runs when its environment is deployed, which no case does. */
export function jobBody({ registryId }: Stage, name: string, more: Fields = {}): Fields {
  const image = { registry_id: registryId, image_name: "library/busybox", tag: "1.36" };
  return {
    name,
    source: { image },
    cpu: 250,
    memory: 256,
    schedule: { on_start: { arguments: ["true"] } },
    healthchecks: {},
    auto_preview: false,
    max_nb_restart: 0,
    ...more,
  };
}

/** The path under which jobs are created. */
export function jobsPath({ environmentId }: Stage): string {
  return `/environment/${environmentId}/job`;
}

/** Creates a job. */
export async function createJob(stage: Stage, name: string, more?: Fields): Promise<Fields & { id: string }> {
  return resourceIn(await stage.server.send("POST", jobsPath(stage), jobBody(stage, name, more)));
}

/** The body of a container; it is never deployed. */
export function containerBody({ registryId }: Stage, name: string, more: Fields = {}): Fields {
  const image = { registry_id: registryId, image_name: "library/busybox", tag: "1.36" };
  return {
    name,
    ...image,
    cpu: 250,
    memory: 256,
    healthchecks: {},
    auto_preview: false,
    ports: [],
    storage: [],
    ...more,
  };
}

/** Creates a container. */
export async function createContainer(
  stage: Stage,
  name: string,
  more: Fields,
): Promise<Fields & { id: string }> {
  const path = `/environment/${stage.environmentId}/container`;
  return resourceIn(await stage.server.send("POST", path, containerBody(stage, name, more)));
}

/** Reads all services of the environment with one request. */
export async function readServices({ server, environmentId }: Stage): Promise<Fields[]> {
  return elementsIn(await server.get(`/environment/${environmentId}/services`));
}

/** Whether a list has an element with the id. */
export function has(elements: readonly Fields[], id: string): boolean {
  return elements.some((element) => element["id"] === id);
}

/** The elements of a member that is a list. */
export function listIn(fields: Fields, member: string): Fields[] {
  const list = fields[member];
  return Array.isArray(list) ? (list as Fields[]) : [];
}
