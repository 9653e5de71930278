import type { Query } from "../../api/index.ts";
import type { Fields, Json } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import type { Mistake } from "../../source/mistake.ts";

/**
 * A sort of thing that belongs to a resource and has API calls of its own: a variable, a custom domain. Deleting the
 * resource deletes its parts.
 */
export interface Part {
  /** The noun for one of them: `variable`. */
  name: string;
  /** The member of a document that states them: `variables`. */
  member: string;
  /** Where those of a resource are listed; parts with the same listing share one request. */
  listing(id: string, parentId: string): PartListing;
  /** The key of an entry of that list; undefined for an entry that is not such a part. */
  keyOf(entry: Fields): string | undefined;
  /**
   * Whether an entry of that list belongs to the resource of that id itself; otherwise the resource only sees it.
   *
   * @param listed all entries of the list
   * @param wanted what a document states, where that decides which of several entries counts
   */
  isOwn(entry: Fields, id: string, listed: readonly Fields[], wanted: Json | undefined): boolean;
  /** Whether the value of an entry can be read back. */
  isReadable(entry: Fields): boolean;
  /**
   * Of a part that the services in a resource have as well: when an entry was last written, as ISO 8601. A service has
   * it from its next deployment on. Undefined for an entry that the platform sets; absent: nothing inside has it.
   */
  changedAt?(entry: Fields): string | undefined;
  /** Whether the platform sets an entry, and other things rely on its value; absent: it sets none. */
  isBuiltIn?(entry: Fields): boolean;
  /** The form in documents; absent: no document can state them. */
  form?: PartForm;
  /**
   * Whether they are configuration like the fields of the resource: a deletion does not read them, because they hold
   * nothing that would be lost, a replacement writes them again, and a dump has them only if it is asked to.
   */
  isConfiguration?: true;
  /** The members of entries that the API reports and documents do not state; absent: none. */
  reports?: PartReports;
}

/** The reports of the API about the entries of a part. */
export interface PartReports {
  /** The member that has the reports of a resource, by the keys of the entries: `custom_domain_validation`. */
  member: string;
  description: string;
  /** The schema of the report of one entry. */
  schema: FieldSchema;
}

/** A read of the parts of a resource. */
export interface PartListing {
  path: string;
  query?: Query;
  /** It is the list of the resources of this kind that are in the same parent; absent: of parts. */
  siblings?: string;
  /** The entries in an answer that is one object; absent: the answer is a list of entries. */
  entriesIn?(answer: Fields): Fields[];
  /**
   * The members of an entry that are names, ids and times: a store on disk has them as they are, and of other texts and
   * numbers keyed hashes only. Undefined if the entry has something that is never kept. Absent: the list is never kept.
   */
  plainIn?(entry: Fields): readonly string[] | undefined;
}

/** The form of a part in documents, and the requests that write it. */
export interface PartForm {
  /** The schema of the member: an object of entries by their key. */
  schema: FieldSchema;
  /** Whether values are written and never read back: entries have references to them. */
  isWriteOnly?: true;
  /** Whether an entry can be an output of a sibling: `{ from, output }`, an alias to the API. */
  takesOutputs?: true;
  /**
   * The member in which an entry is if it is such an output, whatever its document says: another name for a secret is no
   * secret to the API.
   */
  outputsIn?: string;
  /** Whether a key belongs to one resource only: two documents cannot state the same. */
  isUnique?: true;
  /** Whether a clone of the resource is created without them. */
  staysWithSource?: true;
  /** Whether an entry of that key is about one resource alone, and no value that anybody has set; absent: none is. */
  isPersonal?(key: string): boolean;
  /** Whether the member states one entry, whose key is the empty text, and no entries by their keys. */
  isSingle?: true;
  /** Whether a new resource has an entry by itself; absent: as `defaults` or the schema say. */
  isImplied?(stated: Json): boolean;
  /** Whether all entries are always there: they are changed, and neither created nor removed; null gives the default. */
  isPermanent?: true;
  /** Whether one request writes all entries, so that it removes those that it lacks. */
  isWhole?: true;
  /** Where the API lists all entries that can be, with their defaults; absent: the schema has both. */
  defaults?: PartListing;
  /**
   * An entry of the list as a document of the resource of that id would state it, in the words of `wanted` if that is the
   * same; null: it has no value.
   */
  statedAs(entry: Fields, wanted?: Json, id?: string): Json;
  /** Whether the server deletes an entry of the list with another one; absent: never. */
  goesWith?(entry: Fields, other: Fields): boolean;
  /** A mistake in an entry that its schema does not find; absent: there is none. */
  mistakeIn?(key: string, entry: Json): Mistake | undefined;
  /** The key of another entry, if there is one, for an alias of which the server takes an entry with this value. */
  isTakenForAliasOf?(key: string, fields: Fields): string | undefined;
  /** The other parts that an entry needs, by their keys. */
  needs(fields: Fields, key: string): readonly PartNeed[];
  /**
   * The next request for these changes, in the order of their dependencies; undefined where the remaining changes wait
   * for something that is not listed. One request can make several changes.
   *
   * @param id of the resource
   * @param listed all that the resource sees
   * @param wanted all entries of this sort that the resource is to have, by their keys
   */
  nextRequest(
    id: string,
    changes: readonly PartChange[],
    listed: readonly PartEntry[],
    parentId: string,
    wanted?: Fields,
  ): PartRequest | undefined;
}

/** Another part that an entry refers to. */
export interface PartNeed {
  /** The member of the entry that says so: `alias_of`. */
  member: string;
  key: string;
  /** The noun of the needed thing with its article: `a variable`. */
  what: string;
  /** Whether it has to be in a scope above. */
  isAbove: boolean;
  /** It is an output of a sibling; `key` says which. */
  isOutput?: true;
  /** The member that states the sort that it has to be of; absent: any in the same list. */
  as?: string | undefined;
}

/** A change of an entry. */
export interface PartChange<Entry = Json> {
  key: string;
  /** The complete new entry; undefined if the entry is removed. */
  wanted: Entry | undefined;
}

/** A request that writes parts. */
export interface PartRequest {
  method: "POST" | "PUT" | "DELETE";
  path: string;
  body?: Fields;
  /** The entry whose value the body gets as `value` when it is sent, and that nothing else ever has. */
  secret?: Fields;
  /** Fields of which the body is made when it is sent, once their secrets have got their values. */
  filled?: {
    schema: FieldSchema;
    fields: Fields;
    /** The body, of the fields with the values of their secrets. */
    bodyOf(request: Fields): Fields;
  };
  /** The body of a PUT with what the server has shown and this version does not know: it is sent first. */
  withUnknown?(body: Fields): Fields;
  /** The keys whose changes it makes. */
  keys: readonly string[];
  /**
   * Whether an answer says that all changes are made; absent: every successful answer does. The answer to a DELETE is
   * `{ status }`.
   */
  isAnsweredBy?(answer: unknown): boolean;
  /**
   * The entries of the list after the request, as far as the answer tells; undefined if they have to be read again, as
   * they have where this function is absent.
   *
   * @param listed the entries before
   */
  listedAfter?(answer: unknown, listed: readonly Fields[]): readonly Fields[] | undefined;
  /** The entries that it makes, without their ids, where the answer does not show them: they suffice to compare. */
  makes?: readonly Fields[];
}

/** A live part of a resource. */
export interface PartEntry {
  part: Part;
  key: string;
  /** Whether it belongs to the resource itself; otherwise the resource only sees it. */
  isOwn: boolean;
  /** Whether its value can be read back, so that it can be compared. */
  isReadable: boolean;
  /** The entry of the list itself. */
  response: Fields;
  /** The entry that a document states in its place, if that is known. */
  wanted?: Json | undefined;
  /** The id of the resource that sees it, where the entry says something of each that does. */
  seenBy?: string;
}
