import type { Client, Clock, Wait } from "../api/index.ts";
import type { NormalizedField } from "../model/fields/normalized-fields.ts";
import type { Address } from "../model/addresses/address.ts";
import type { Fields } from "../values/json.ts";
import type { SecretReader, OneTimeValues } from "../secrets/index.ts";
import type { Breaker } from "./breaker.ts";
import type { CascadeDeletions } from "./cascade-deletions.ts";
import type { RemarkCode } from "../problems/codes.ts";
import type { Loss } from "../model/loss.ts";
import type { Remedy } from "../problems/remedy.ts";
import type { PartEntry } from "../model/parts/index.ts";
import type { LiveStore, FreshLists, EventWatch } from "../state/live/index.ts";

/** One run: a client with a meter of its own, the live state, the secrets that it has read, and the signal that ends it. */
export interface Run {
  client: Client;
  clock: Clock;
  /** The known live state; it takes in the answers of writes. */
  live: LiveStore;
  /** Reads lists again after writes; callers that need the same list share a request. */
  freshLists: FreshLists;
  limits: OperationLimits;
  /** The ids of what the run has made, for which a server may answer 404 for a moment; absent: nobody notes them. */
  made?: Set<string> | undefined;
  /** Joins deletions that arrive together; absent: each deletion sends its own requests. */
  jointDeletions?: CascadeDeletions | undefined;
  /** Ends the writes of a run on a server that answers each with an error; absent: each write finds out by itself. */
  breaker?: Breaker | undefined;
  /** Reads the values of secrets. */
  secrets: SecretReader;
  /** The place for values that the API shows once; absent: no resource with such a value can be created. */
  shown?: OneTimeValues | undefined;
  /** The losses of the approved plan; absent: there is no plan. */
  approved?: ApprovedLosses | undefined;
  /** Ends waits; a request under way is finished. */
  signal?: AbortSignal | undefined;
  /** Called with the services of a followed deployment after each check. */
  onDeployment?: ((services: readonly FollowedService[]) => void) | undefined;
  /** Called when the run waits for a clone that it has not requested; absent: nobody shows it. */
  onWait?: ((wait: Wait) => void) | undefined;
  /** Whether a clone is left alone where no event says which run has requested it; absent: it is continued, and the report says so. */
  leavesUnknown?: true;
  /** Waits for the server while another action of the run has the turn of this one; absent: nobody waits for a turn. */
  outsideTurn?<Value>(waiting: () => Promise<Value>): Promise<Value>;
}

/** The state of a service in a deployment that a run follows. */
export interface FollowedService {
  service: { address: Address; id: string };
  /** As the API has it; empty where the server tells none. */
  state: string;
  /** Whether the service is being deployed. */
  result: string;
}

/** The losses of an approved plan, and those that a deletion may cause because the plan deals with them elsewhere. */
export interface ApprovedLosses {
  /** The content of each part whose loss the plan names. */
  contents: ReadonlySet<string>;
  /** When the plan was made, by the clock of the server. */
  at: number;
  /** Whether reads are recent enough for a deletion; undefined: they are not. */
  fresh: EventWatch | undefined;
  /** The losses of parts and data, by the ids of the resources. */
  losses: ReadonlyMap<string, readonly Loss[]>;
  /** The consents without which an update must not lose what a resource has, by its id; none where the run has them. */
  lacking: ReadonlyMap<string, readonly Remedy[]>;
  /** The entries of parts that the plan changes in updates, as `entryKey` writes them. */
  changed: ReadonlySet<string>;
  /** The ids of the resources that the plan deletes. */
  deleted: ReadonlySet<string>;
  /** The parts of the siblings of deleted resources, by id: each is read once more in a run, however many siblings are deleted. */
  beside: Map<string, Promise<readonly PartEntry[]>>;
}

/** A key for an entry of a part of a resource. */
export function entryKey(id: string, member: string, key: string): string {
  return `${id} ${member} ${key}`;
}

/** How long operations wait, in milliseconds. */
export interface OperationLimits {
  /** For a clone to become readable, and for another operation on its source or target to end. */
  clone: number;
  /** For an asynchronous deletion to end. */
  deletion: number;
  /** For another operation on the same resource to end. */
  busy: number;
}

/** The same run for work that has to be finished once started: the signal does not end it. */
export function finishing(run: Run): Run {
  return { ...run, client: run.client.finishing, signal: undefined };
}

/** The same run with this limit in milliseconds for every wait; undefined: the default limits. */
export function limited(run: Run, limit: number | undefined): Run {
  return limit === undefined ? run : { ...run, limits: { clone: limit, deletion: limit, busy: limit } };
}

/** The same run for requests that save data: the signal and the request cap do not stop them. */
export function saving(run: Run): Run {
  const { client, freshLists } = run;
  return {
    ...run,
    client: client.saving,
    freshLists: freshLists.saving,
    signal: undefined,
    breaker: undefined,
  };
}

/** The default limits: five minutes for a clone, ten for a deletion, two for a resource that another operation changes. */
export const defaultLimits: OperationLimits = { clone: 300_000, deletion: 600_000, busy: 120_000 };

/** The result of a write, for the report. */
export interface WriteResult {
  id: string;
  /** Somebody else has made this change since the plan. */
  already?: true;
  /** A note for the user: adopted, already as planned. */
  remarks?: readonly RemarkCode[];
  /** The resource was found after an unclear answer, so the store forgets it instead of entering it. */
  uncertain?: true;
  /** The fields that the server has normalized, by its answer. */
  normalized?: NormalizedField[];
  /** The last answer of the server about it; absent if there was none. */
  response?: Fields;
  /** Its present parts, as fields, if the document declares parts. */
  parts?: Fields;
  /** The reports of the API about these parts. */
  reports?: Fields;
}
