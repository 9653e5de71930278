import type { Client } from "../api/index.ts";
import type { Statuses } from "../live/index.ts";
import type { Run } from "../operations/index.ts";
import type { DeploymentOrder } from "./order.ts";

/** Reads the statuses of the environment of an order: one request. */
export function readStatuses(
  { live }: Run,
  { environment: { address, id } }: DeploymentOrder,
  client: Client,
): Promise<Statuses> {
  return live.readStatuses(client, { kind: address.kind, id });
}
