import { type Client, type Clock, RequestMeter, systemClock } from "../../api/index.ts";
import {
  type CreationRecord,
  FreshLists,
  type PartsCache,
  LiveStore,
  type ReadCount,
} from "../../state/live/index.ts";
import { SecretReader, type SecretSources, type OneTimeValues } from "../../secrets/index.ts";
import { Breaker, defaultLimits, type Run, type OperationLimits } from "../../operations/index.ts";
import { CascadeDeletions } from "../../operations/writes.ts";
export type { Run } from "../../operations/index.ts";

/** The settings of a run. */
export interface RunSettings {
  /** The live state that earlier runs have read; default: none. */
  live?: LiveStore;
  /** The parts that earlier runs have read; default: none. Only without `live`. */
  cache?: PartsCache | undefined;
  /** The creations of this machine; default: those beside the cache. Only without `live`. */
  creations?: CreationRecord | undefined;
  /** Called with the number of lists read so far, and of those needed; only without `live`. */
  onRead?(count: ReadCount): void;
  /** The most requests of the run, with repetitions; only requests that save data may exceed it. */
  maxRequests?: number | undefined;
  limits?: Partial<OperationLimits>;
  clock?: Clock;
  /** The sources of the values of secrets; default: only the documents themselves. */
  secrets?: SecretSources;
  /** The place for values that the API shows once; default: none, and a run creates no resource with such a value. */
  shown?: OneTimeValues;
  /** Milliseconds for which a read of a list waits for others that can share its request; default: none. */
  gathering?: number;
  /** Joins deletions of different calls; default: none. */
  joins?: {
    /** The organization of the deletions. */
    organizationId(): Promise<string>;
    /** Milliseconds for which a deletion waits for others. */
    quiet: number;
  };
  /** Gets the services of a followed deployment after each check. */
  onDeployment?: Run["onDeployment"];
  /** Called when an action waits for the server, such as for a clone of another run. */
  onWait?: Run["onWait"];
  /** Ends waits; a request under way is finished. */
  signal?: AbortSignal;
}

/** Starts a run on a client, which may serve several: each has its own count and cap of requests. Sends nothing. */
export function startRun(client: Client, settings: RunSettings = {}): Run {
  const { clock = systemClock, signal, maxRequests, limits, gathering, shown, joins } = settings;
  const { cache, creations } = settings;
  const { live = new LiveStore(clock, Infinity, (count) => settings.onRead?.(count), cache, creations) } =
    settings;
  const metered = client.metered(new RequestMeter(maxRequests), live.writes.signature);
  const freshLists = new FreshLists(metered, clock, live, gathering);
  return {
    client: metered,
    clock,
    live,
    freshLists,
    limits: { ...defaultLimits, ...limits },
    made: new Set(),
    breaker: new Breaker(clock),
    secrets: new SecretReader(settings.secrets, { signal, holdsToken: (text) => client.holdsToken(text) }),
    ...(joins && {
      jointDeletions: new CascadeDeletions(
        { client: metered, clock, freshLists },
        joins.organizationId,
        joins.quiet,
      ),
    }),
    shown,
    signal,
    onDeployment: settings.onDeployment,
    onWait: settings.onWait,
  };
}
