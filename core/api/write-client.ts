import type { Client, WritingClient } from "./client.ts";

/**
 * The same client, able to write. The rules of imports let only operations and deployments have this function: what calls those
 * carries out a plan that `approve` has approved.
 */
export function writing(client: Client): WritingClient {
  return client as WritingClient;
}
