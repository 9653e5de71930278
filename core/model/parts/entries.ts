import { createHash } from "node:crypto";
import { stableJson } from "../../values/json.ts";
import type { Part, PartEntry } from "./part.ts";
import type { WithParts } from "./declared-parts.ts";

/** A hash of an entry's last write or value; `ownerId` makes the same entry elsewhere another. Undefined: no document can declare it. */
export function contentOf(
  { part, key, isReadable, response }: PartEntry,
  ownerId: string,
): { content?: string } {
  if (!part.form) return {};
  const isReported = part.changedAt !== undefined && !("id" in response);
  const value = isReported
    ? null
    : (part.changedAt?.(response) ?? (isReadable ? part.form.declaredAs(response) : null));
  const text = stableJson([ownerId, part.member, key, value]);
  return { content: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** The hash of an entry when only the answer to a write was known; undefined: it was written after `until`. */
export function reportedContentOf(entry: PartEntry, ownerId: string, until: number): string | undefined {
  const at = entry.part.changedAt?.(entry.response);
  if (at === undefined || !(Date.parse(at) <= until)) return undefined;
  return contentOf({ ...entry, response: {} }, ownerId).content;
}

/** The entries that the server deletes with others, directly or indirectly. @param entries the candidates */
export function dependentsOf(gone: readonly PartEntry[], entries: readonly PartEntry[]): PartEntry[] {
  const found = new Set<PartEntry>(gone);
  for (const { response: other } of found)
    for (const entry of entries) if (entry.part.form?.goesWith?.(entry.response, other)) found.add(entry);
  return [...found].filter((entry) => !gone.includes(entry));
}

/** The parts of a resource that the services in it inherit with their next deployment; for a service, its own. */
export function inheritedParts({ parts }: Pick<WithParts, "parts">): Part[] {
  return parts.filter(({ changedAt }) => changedAt);
}

/** The keys of inherited and own entries that were written since a deployment. Removed ones leave no trace on the server. */
export function keysChangedSince(entries: readonly PartEntry[], deployedAt: string): string[] {
  const own = new Set(entries.flatMap(({ isOwn, key }) => (isOwn ? [key] : [])));
  const changed = entries.filter(({ part, key, isOwn, response }) => {
    const isHidden = !isOwn && own.has(key);
    const at = part.form?.isPersonal?.(key) || isHidden ? undefined : part.changedAt?.(response);
    return at !== undefined && Date.parse(at) > Date.parse(deployedAt);
  });
  return [...new Set(changed.map(({ key }) => key))].toSorted();
}
