import { createHash } from "node:crypto";
import { stableJson } from "../../values/json.ts";
import type { Part, PartEntry } from "./part.ts";
import type { WithParts } from "./declared-parts.ts";

/**
 * A hash of what a part of a resource has: of the time at which somebody has last written it, or of its value where the API
 * does not tell that time. Undefined for a part that no document can state. An entry that only the answer to a write has told
 * has neither an id nor a time: its hash says that there is one.
 *
 * @param ownerId of the resource: the same elsewhere has another hash
 */
export function contentOf(
  { part, key, isReadable, response }: PartEntry,
  ownerId: string,
): { content?: string } {
  if (!part.form) return {};
  const isTold = part.changedAt !== undefined && !("id" in response);
  const value = isTold
    ? null
    : (part.changedAt?.(response) ?? (isReadable ? part.form.statedAs(response) : null));
  const text = stableJson([ownerId, part.member, key, value]);
  return { content: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** The hash that an entry had when only the answer to a write had told it; undefined if it was written later than a time. */
export function toldContentOf(entry: PartEntry, ownerId: string, until: number): string | undefined {
  const at = entry.part.changedAt?.(entry.response);
  if (at === undefined || !(Date.parse(at) <= until)) return undefined;
  return contentOf({ ...entry, response: {} }, ownerId).content;
}

/**
 * The entries that the server deletes with others: directly, or through an entry in between.
 *
 * @param gone the entries that are removed
 * @param entries those that may go with them
 */
export function dependentsOf(gone: readonly PartEntry[], entries: readonly PartEntry[]): PartEntry[] {
  const found = new Set<PartEntry>(gone);
  // A loop over a set also visits the elements that are added during the loop.
  for (const { response: other } of found)
    for (const entry of entries) if (entry.part.form?.goesWith?.(entry.response, other)) found.add(entry);
  return [...found].filter((entry) => !gone.includes(entry));
}

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
