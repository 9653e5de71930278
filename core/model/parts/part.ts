import type { Query } from "../../api/index.ts";
import type { Fields, Json } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import type { Mistake } from "../../source/mistake.ts";

/** A sort of thing with API calls of its own that belongs to a resource, and is deleted with it: a variable. */
export interface Part {
  /** The noun for one of them: `variable`. */
  name: string;
  /** The member of a document: `variables`. */
  member: string;
  /** The list of those of a resource; parts with the same listing share one request. */
  listing(id: string, parentId: string): PartListing;
  /** The key of an entry of that list; undefined for an entry that is not such a part. */
  keyOf(entry: Fields): string | undefined;
  /** Whether an entry of a list belongs to the resource of that id itself, which otherwise inherits it; absent: every one does. */
  isOwn?(entry: Fields, id: string, listed: readonly Fields[], desired: Json | undefined): boolean;
  /** The last write of an entry that services inherit with their next deployment; undefined: the platform's; absent: not inherited. */
  changedAt?(entry: Fields): string | undefined;
  /** Whether the platform sets an entry, on whose value other things rely; absent: it sets none. */
  isBuiltIn?(entry: Fields): boolean;
  /** The form in documents; absent: documents cannot declare them. */
  form?: PartForm;
  /** Whether they are configuration: a deletion loses nothing with them, and a dump has them only on request. */
  isConfiguration?: true;
  /** The members of entries that the API reports and documents cannot declare; absent: none. */
  reports?: PartReports;
}

/** The API's reports about the entries of a part. */
export interface PartReports {
  /** The member with the reports of a resource, by the keys of the entries: `custom_domain_validation`. */
  member: string;
  description: string;
  /** The schema of the report of one entry. */
  schema: FieldSchema;
}

/** A read of the parts of a resource. */
export interface PartListing {
  path: string;
  query?: Query;
  /** Paths of lists that have the same entries together; absent: there are none. */
  together?: readonly string[];
  /** It is the list of the resources of this kind in the same parent; absent: of parts. */
  siblings?: string;
  /** The entries in an answer that is one object; absent: the answer is a list of entries. */
  entriesIn?(answer: Fields): Fields[];
  /** The members that a cache on disk has in plain; of others, keyed hashes. Undefined: the entry must not be cached; absent: the list must not. */
  plainIn?(entry: Fields): readonly string[] | undefined;
}

/** The form of a part in documents, and the requests that write it. */
export interface PartForm {
  /** The schema of the member: an object of entries by their key. */
  schema: FieldSchema;
  /** Whether values are written and never read: entries contain references to them. */
  isWriteOnly?: true;
  /** Whether an entry can be an output of a sibling: `{ from, output }`, an alias to the API. */
  takesOutputs?: true;
  /** The member of such outputs, wherever a document has them: an alias of a secret is no secret to the API. */
  outputsIn?: string;
  /** Whether a key belongs to one resource only: two documents cannot declare the same. */
  isUnique?: true;
  /** Whether a clone of the resource is created without them. */
  staysWithSource?: true;
  /** Whether an entry of that key concerns one resource alone, and nobody has set it; absent: none does. */
  isPersonal?(key: string): boolean;
  /** Whether the member is one entry, whose key is the empty text, and not entries by key. */
  isSingle?: true;
  /** Whether a new resource has an entry by itself; absent: as `defaults` or the schema tell. */
  isImplied?(declared: Json): boolean;
  /** Whether all entries always exist: they are changed, and neither created nor removed; null gives the default. */
  isPermanent?: true;
  /** Whether one request writes all entries, so that it removes missing ones. */
  isWhole?: true;
  /** The API's list of all possible entries with their defaults; absent: the schema has both. */
  defaults?: PartListing;
  /** An entry as a document of its resource would declare it, spelled like an equal `wanted`; null: no value. */
  declaredAs(entry: Fields, desired?: Json, id?: string): Json;
  /** Whether the server deletes an entry of the list with another one; absent: never. */
  goesWith?(entry: Fields, other: Fields): boolean;
  /** A mistake in an entry that its schema does not find; absent: there is none. */
  mistakeIn?(key: string, entry: Json): Mistake | undefined;
  /** The key of another entry of which the server takes an entry with this value for an alias, if any. */
  isTakenForAliasOf?(key: string, fields: Fields): string | undefined;
  /** The other parts that an entry needs, by their keys; absent: none. */
  needs?(fields: Fields, key: string): readonly PartNeed[];
  /** The next request for these changes, in the order of their dependencies; undefined: the others wait for an unlisted entry. */
  nextRequest(
    id: string,
    changes: readonly PartChange[],
    listed: readonly PartEntry[],
    parentId: string,
    desired?: Fields,
  ): PartRequest | undefined;
}

/** Another part that an entry refers to. */
export interface PartNeed {
  /** The referring member of the entry: `alias_of`. */
  member: string;
  key: string;
  /** The noun of the needed thing: `variable`. */
  what: string;
  /** It is an output of a sibling; `key` names it. */
  isOutput?: true;
  /** The member of an overridden entry, which has to be in a scope above; absent: any entry in the same list. */
  as?: string | undefined;
}

/** A change of an entry. */
export interface PartChange<Entry = Json> {
  key: string;
  /** The complete new entry; undefined: the entry is removed. */
  desired: Entry | undefined;
}

/** A request that writes parts. */
export interface PartRequest {
  method: "POST" | "PUT" | "DELETE";
  path: string;
  body?: Fields;
  /** The entry whose value the body gets as `value` when it is sent, and that is used nowhere else. */
  secret?: Fields;
  /** Fields for the body, which is made when it is sent, once their secrets have values. */
  filled?: {
    schema: FieldSchema;
    fields: Fields;
    /** The body, of the fields with the values of their secrets. */
    bodyOf(request: Fields): Fields;
  };
  /** Adds the server's unknown members to the body of a PUT; called before it is sent. */
  withUnknown?(body: Fields): Fields;
  /** The keys of its changes. */
  keys: readonly string[];
  /** Whether an answer (to a DELETE: `{ status }`) shows that all changes are made; absent: every success does. */
  isAnsweredBy?(answer: unknown): boolean;
  /** The entries after the request, by the answer and those before; undefined or absent: read them again. */
  listedAfter?(answer: unknown, listed: readonly Fields[]): readonly Fields[] | undefined;
  /** The entries that it creates, without ids, where the answer does not show them: they suffice to compare. */
  makes?: readonly Fields[];
}

/** A live part of a resource. */
export interface PartEntry {
  part: Part;
  key: string;
  /** Whether it belongs to the resource itself, which otherwise inherits it. */
  isOwn: boolean;
  /** Whether its value can be read, and so compared. */
  isReadable: boolean;
  /** The entry of the list itself. */
  response: Fields;
  /** The declared entry, if known. */
  desired?: Json | undefined;
  /** The id of the resource that sees it, where the entry differs for each of them. */
  seenBy?: string;
}
