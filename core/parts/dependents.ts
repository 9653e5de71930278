import type { PartEntry } from "./part.ts";

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
