import type { Service, ServiceKindName } from "../records.ts";
import type { World } from "../world.ts";
import { application } from "./application.ts";
import { job } from "./job.ts";
import type { ServiceKind } from "./kind.ts";

/** Every kind of service that the emulator serves. */
export const serviceKinds: ServiceKind[] = [application, job];

const byName = new Map<ServiceKindName, ServiceKind>(serviceKinds.map((kind) => [kind.kind, kind]));

/** The response for a service of any kind. */
export function serviceView(service: Service, world: World): object {
  return kindOf(service).view(service, world);
}

export function kindOf(service: Service): ServiceKind {
  const kind = byName.get(service.kind);
  if (!kind) throw new Error(`no such kind of service: ${service.kind}`);
  return kind;
}
