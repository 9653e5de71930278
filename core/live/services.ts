import { type Client, path } from "../api/index.ts";
import { type Fields, isFields } from "../json.ts";

/** All services of an organization, with few members each: one request for every hundred. */
export async function servicesOf(client: Client, organizationId: string): Promise<Fields[]> {
  const listed = await client.list(path`/organization/${organizationId}/services`);
  return listed.filter(isFields);
}
