import type { Client, WritingClient } from "./client.ts";

/** The same client, able to write. Import rules allow it only to operations and deployments, which execute approved plans. */
export function writing(client: Client): WritingClient {
  return client as WritingClient;
}
