import type { Service, ServiceKindName } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { application } from "./application.ts";
import { container } from "./container.ts";
import { database } from "./database.ts";
import { helm } from "./helm.ts";
import { job } from "./job.ts";
import type { ServiceKind } from "./kind.ts";
import { terraform } from "./terraform.ts";
import { stamps } from "../world/store.ts";

export const serviceKinds: ServiceKind[] = [application, container, database, helm, job, terraform];

const byName = new Map<ServiceKindName, ServiceKind>(serviceKinds.map((kind) => [kind.kind, kind]));

export function kindOf({ kind: name }: Pick<Service, "kind">): ServiceKind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`unknown kind of service: ${name}`);
  return kind;
}

export function serviceView(service: Service, world: World): object {
  const { parentId, name, kind } = service;
  return {
    ...stamps(service),
    environment: { id: parentId },
    description: "",
    ...kindOf(service).view(service, world),
    name,
    service_type: kind.toUpperCase(),
  };
}
