import { type Client, path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { versionIn } from "../../model/kinds/index.ts";
import type { LiveResource } from "./resource.ts";

/** All services of an organization, with few members each. */
export async function servicesOf(client: Client, organizationId: string): Promise<Fields[]> {
  const listed = await client.list(path`/organization/${organizationId}/services`);
  return listed.filter(isFields);
}

/** The version of a service: its image tag or chart version, or the commit that was deployed last; undefined if nothing says it. */
export function versionOf({ kind, fields, response }: LiveResource): string | undefined {
  return versionIn(kind, fields) ?? deployedCommit(response);
}

/** The commit in the git repository of a response, at whatever depth its kind has it. */
function deployedCommit(response: Fields): string | undefined {
  for (const [member, value] of Object.entries(response)) {
    if (!isFields(value)) continue;
    const commit = member === "git_repository" ? textIn(value, "deployed_commit_id") : deployedCommit(value);
    if (commit !== undefined && commit !== "") return commit;
  }
  return undefined;
}
