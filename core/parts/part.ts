import type { Query } from "../api/index.ts";
import type { Fields } from "../json.ts";

/**
 * A sort of thing that hangs on a resource and has calls of its own: a variable, a custom domain. It goes with its
 * resource when that is deleted.
 */
export interface Part {
  /** What one of them is called: `variable`. */
  name: string;
  /** The member of a document that states them: `variables`. */
  member: string;
  /** Where those of a resource are listed. */
  listing(id: string): { path: string; query?: Query };
  /** The key of an entry of that list among those of its resource; undefined for one that hangs on another resource. */
  keyOf(entry: Fields): string | undefined;
  /** Whether the value of an entry can be read back. */
  isReadable(entry: Fields): boolean;
}

/** A live part of a resource. */
export interface PartEntry {
  part: Part;
  key: string;
  /** Whether its value can be read back, so that it can be compared. */
  isReadable: boolean;
  /** The entry of the list itself. */
  response: Fields;
}
