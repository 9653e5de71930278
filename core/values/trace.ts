import { tracingChannel } from "node:diagnostics_channel";

/** Work that whoever traces sees as a span. */
export interface Work {
  /** Such as `write`. */
  name: string;
  /** Facts about it at its end, without values of fields and secrets. */
  attributes: Record<string, string | number>;
}

/** Where work is reported; without a listener, that costs nothing. */
export const workChannel = tracingChannel<unknown, Work>("infrasync:work");

/** Does work that may be traced. */
export function traced<Result>(
  name: string,
  attributes: Work["attributes"],
  work: () => Promise<Result>,
): Promise<Result> {
  return workChannel.hasSubscribers ? workChannel.tracePromise(work, { name, attributes }) : work();
}
