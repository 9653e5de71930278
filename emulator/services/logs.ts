import type { Deployment, Service } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import type { World } from "../world/world.ts";

/** The log of a service: lines that its deployments would have written, oldest first. */
export function logsOf(service: Service, { store }: World): object[] {
  return store.deployments
    .under(service.parentId)
    .filter(({ services }) => services.some(({ id }) => id === service.id))
    .flatMap((deployment) => linesOf(deployment, service));
}

function linesOf({ id, action, created_at, endedAt, state, fails }: Deployment, service: Service): object[] {
  const pod = `${service.kind}-z${service.id.slice(0, 8)}-0`;
  const line = (time: string, message: string) => ({
    id: uuidOf(`${id} ${service.id} ${message}`),
    created_at: time,
    message,
    pod_name: pod,
    version: id,
  });
  const first = line(created_at, `${action.toLowerCase()} of ${service.name} requested`);
  return endedAt === undefined
    ? [first]
    : [first, line(endedAt, typeof fails === "string" ? fails : `${service.name}: ${state}`)];
}
