import type { Client, WritingClient } from "./client.ts";

/**
 * The same client, able to write. Import rules allow this function only to operations and deployments, which execute
 * plans that `approve` has approved.
 */
export function writing(client: Client): WritingClient {
  return client as WritingClient;
}
