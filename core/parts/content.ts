import { createHash } from "node:crypto";
import { stableJson } from "../json.ts";
import type { PartEntry } from "./part.ts";

/**
 * A hash of what a part of a resource has: of its value, or, where nobody can read that, of the time at which it was last
 * written. Undefined for a part that no document can state.
 *
 * @param ownerId of the resource: the same value elsewhere has another hash
 */
export function contentOf(
  { part, key, isReadable, response }: PartEntry,
  ownerId: string,
): { content?: string } {
  if (!part.form) return {};
  const value = isReadable ? part.form.statedAs(response) : (part.changedAt?.(response) ?? null);
  const text = stableJson([ownerId, part.member, key, value]);
  return { content: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}
