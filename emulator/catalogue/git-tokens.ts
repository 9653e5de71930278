import type { Route } from "../http/routing.ts";
import { countUses } from "../world/references.ts";
import { collection } from "./collection.ts";
import { GitTokenRequest } from "../bodies/catalogue.ts";

const gitUrls: Record<string, string> = {
  GITHUB: "https://api.github.com",
  GITLAB: "https://gitlab.com/api/v4",
  BITBUCKET: "https://api.bitbucket.org",
};

/** Git tokens; no response contains the token. */
export const gitTokenRoutes: Route[] = collection<GitTokenRequest>({
  path: "gitToken",
  id: "gitTokenId",
  table: (store) => store.gitTokens,
  body: GitTokenRequest,
  view: ({ id, created_at, updated_at, name, spec }, world) => {
    const { description = "", type, workspace, git_api_url = gitUrls[type] } = spec;
    const associated_services_count = countUses(id, world);
    const base = { id, created_at, updated_at, name, description };
    return { ...base, type, workspace, git_api_url, associated_services_count };
  },
});
