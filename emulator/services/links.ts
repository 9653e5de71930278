import type { Service } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { externalHost } from "./hosts.ts";
import { completePorts } from "./common-fields.ts";

interface PublicPort {
  internal_port: number;
  name: string;
  is_default: boolean;
}

/** The ports of an application, a container or a Helm chart that can be reached from outside. */
export function publicPorts({ spec }: Service): PublicPort[] {
  const { ports = [] } = spec as { ports?: { internal_port: number; publicly_accessible?: boolean }[] };
  return completePorts(ports).filter(({ publicly_accessible = true }) => publicly_accessible);
}

/** The public addresses of a service: each public port under the domain of the platform, then its custom domains. */
export function linksOf(service: Service, { store }: World): object[] {
  const { id, kind } = service;
  const ports = publicPorts(service);
  const host = externalHost(id);
  const link = (name: string, port: PublicPort, isPlatforms: boolean) => ({
    service_id: id,
    service_type: kind.toUpperCase(),
    url: `https://${name}`,
    internal_port: port.internal_port,
    external_port: 443,
    is_qovery_domain: isPlatforms,
    is_default: port.is_default,
  });
  const main = ports.find(({ is_default }) => is_default);
  return [
    ...ports.map((port) => link(port.is_default ? host : `${port.name}-${host}`, port, true)),
    ...(main ? store.customDomains.under(id).map(({ name }) => link(name, main, false)) : []),
  ];
}
