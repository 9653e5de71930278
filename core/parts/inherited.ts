import type { Part, PartEntry } from "./part.ts";
import type { WithParts } from "./stated.ts";

/** The parts of a resource that the services in it have as well, from their next deployment on; for a service, its own. */
export function inheritedParts({ parts }: Pick<WithParts, "parts">): Part[] {
  return parts.filter(({ changedAt }) => changedAt);
}

/**
 * The keys of the parts that services in a resource have from their next deployment on, because somebody has written
 * them since the last one began. A part that has been removed since is not among them: the server keeps no trace of it.
 *
 * @param entries those that the resource sees: its own, and those of the resources around it
 * @param deployedAt when the last deployment of the service began, as ISO 8601
 */
export function keysChangedSince(entries: readonly PartEntry[], deployedAt: string): string[] {
  const own = new Set(entries.flatMap(({ isOwn, key }) => (isOwn ? [key] : [])));
  const changed = entries.filter(({ part, key, isOwn, response }) => {
    const isHidden = !isOwn && own.has(key);
    const at = part.form?.isPersonal?.(key) || isHidden ? undefined : part.changedAt?.(response);
    return at !== undefined && Date.parse(at) > Date.parse(deployedAt);
  });
  return [...new Set(changed.map(({ key }) => key))].toSorted();
}
