import { ApiError } from "../api/index.ts";
import type { Links } from "../model/parts/index.ts";
import type { LiveReader, LiveResource } from "../state/live/index.ts";

/** The most services of which one command reads the addresses; what earlier runs have read costs nothing. */
const mostRead = 20;

/** Reads the URLs of services, a request for each with public ports; `failed`: ids whose last read failed, which come last. */
export async function readLinks(
  { client, live }: LiveReader,
  organizationId: string | undefined,
  services: readonly LiveResource[],
  most = mostRead,
  failed = new Set<string>(),
) {
  const owners = services.flatMap((service) => {
    const { links } = service.kind.deployment ?? {};
    return links?.isPublic(service.fields) ? [{ service, links }] : [];
  });
  const isPublic = new Set(owners.map(({ service }) => service));
  const byId = new Map<string, readonly string[]>(
    services.flatMap((service) => (isPublic.has(service) ? [] : [[service.id, []]])),
  );
  const read = async ({ service, links: { part, rank } }: { service: LiveResource; links: Links }) => {
    failed.delete(service.id);
    try {
      if (organizationId === undefined) await live.parts.read(client, service, [part], 0);
      const entries = await live.recalled(client, undefined, service, [part], {}, (all = []) => all);
      const sorted = entries.toSorted((one, other) => rank(one.response) - rank(other.response));
      byId.set(
        service.id,
        sorted.map(({ key }) => key),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed.add(service.id);
    }
  };
  // To open the cache costs as much as one list.
  if (organizationId !== undefined && owners.length > 1 && most > 0)
    await live.openCache(client, organizationId);
  const isKnown = ({ service, links }: (typeof owners)[number]) =>
    live.parts.knows(client, service, [links.part]);
  const turns = [...failed];
  const requested = owners
    .filter((owner) => !isKnown(owner))
    .toSorted((one, other) => turns.indexOf(one.service.id) - turns.indexOf(other.service.id));
  const left = organizationId === undefined ? [] : requested.slice(most);
  await Promise.all(owners.filter((owner) => !left.includes(owner)).map(read));
  return { byId, unread: services.length - byId.size };
}
