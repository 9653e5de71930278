import type { Kind } from "../../model/kinds/index.ts";
import type { RevealedPassword } from "../../redaction/known-credentials.ts";
import type { Part, PartListing, PartLists } from "../../model/parts/index.ts";
import type { Contents, ListPlace } from "./contents.ts";
import type { LiveResource } from "./resource.ts";
import type { Statuses } from "./statuses.ts";

/** The lists that a plan has to read from the server. */
export interface Needs {
  /** Whether the contents of the organization are needed. */
  organization: boolean;
  /** The resources whose contents are needed. */
  contents: ReadonlySet<LiveResource>;
  /** The lists that are needed of those that are read on demand only, by their keys. */
  lists: ReadonlyMap<string, ListPlace>;
  /** The resources of which parts are needed, and which sorts of parts. */
  parts: ReadonlyMap<LiveResource, ReadonlySet<Part>>;
  /** The lists of defaults of parts that are needed, by their keys. */
  defaults: ReadonlyMap<string, PartListing>;
  /** The parents whose statuses are needed: the kind of each, by its id. */
  statuses: ReadonlyMap<string, Kind>;
  /** The resources whose passwords may be in the output: the kind of each, by its id. */
  passwords: ReadonlyMap<string, Kind>;
}

/** Live state, as values. */
export interface LiveValues {
  /** The contents of the organization and of resources, by the id of the parent. */
  contents: ReadonlyMap<string, Contents>;
  /** The lists that are read on demand only, by their keys. */
  lists: ReadonlyMap<string, Contents>;
  /** The lists of the parts of resources. */
  parts: PartLists;
  defaults: PartLists;
  /** The statuses of parents and of their contents, by the id of the parent. */
  statuses: ReadonlyMap<string, Statuses>;
  /** The passwords of resources, by the id of the resource; undefined where nobody may read it, or there is none. */
  passwords?: ReadonlyMap<string, RevealedPassword | undefined>;
}

/** The resources whose lists have more than one page, by their ids in lower case: how many pages more than one. */
export type LongLists = ReadonlyMap<string, { contents: number; parts: number }>;
