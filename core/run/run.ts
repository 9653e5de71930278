import { type Client, type Clock, RequestMeter, systemClock } from "../api/index.ts";
import { LiveStore, Looks } from "../live/index.ts";
import { defaultLimits, type OperationContext, type OperationLimits } from "../steps/index.ts";

/** The settings of a run. */
export interface RunSettings {
  /** The live state that earlier runs have read; default: none. */
  live?: LiveStore;
  /** How many requests the run may send, repetitions included; only requests that save data may exceed it. */
  maxRequests?: number;
  limits?: Partial<OperationLimits>;
  clock?: Clock;
  /** Ends waits; a request under way is finished. */
  signal?: AbortSignal;
}

/**
 * Starts a run on a client, which may serve several: each counts its own requests, under a cap of its own. Sends
 * nothing.
 */
export function startRun(client: Client, settings: RunSettings = {}): OperationContext {
  const { live = new LiveStore(), clock = systemClock, signal, maxRequests, limits } = settings;
  const metered = client.metered(new RequestMeter(maxRequests));
  return {
    client: metered,
    clock,
    live,
    looks: new Looks(metered, clock, live),
    limits: { ...defaultLimits, ...limits },
    ...(signal && { signal }),
  };
}
