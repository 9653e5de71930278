import { type Client, path } from "../api/index.ts";
import { type Fields, isFields, textIn } from "../json.ts";
import { versionIn } from "../kinds/index.ts";
import type { LiveResource } from "./resource.ts";

/** All services of an organization, with few members each: one request for every hundred. */
export async function servicesOf(client: Client, organizationId: string): Promise<Fields[]> {
  const listed = await client.list(path`/organization/${organizationId}/services`);
  return listed.filter(isFields);
}

/** The version of a service: its image tag or chart version, or the commit that was deployed last; undefined if nothing says it. */
export function versionOf({ kind, fields, response }: LiveResource): string | undefined {
  const repository = response["git_repository"];
  return (
    versionIn(kind, fields) ?? (isFields(repository) ? textIn(repository, "deployed_commit_id") : undefined)
  );
}
