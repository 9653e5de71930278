import type { Problem } from "../../core/problems/problem.ts";
import {
  commitPage,
  type Forge,
  forgeAt,
  placeOf,
  projectAt,
  publicApi,
} from "../../adapters/forge/index.ts";
import type { RepositoryAddress } from "../../adapters/git/index.ts";
import type { Console } from "../terminal/console.ts";
import { findForge, forgeSettings } from "../repository/forge.ts";
import type { OperatorFlags } from "../repository/repository.ts";

/** The settings of the Git host, by the operator's settings file and the document of a source. */
export interface ForgeFlags extends OperatorFlags {
  gitHostApi?: string;
  gitHostProject?: string;
}

/** The uses of the Git host by the reconciler. */
export interface ForgePlace {
  previews: boolean;
  commitStatuses: boolean;
  api: string;
  /** Its host and the project there, for marks: `github.com/acme/shop`. */
  project: string;
  forge(): Promise<Forge>;
}

/** Milliseconds: the next cycle tries again. */
const longestLimit = 5000;

/** Reads the uses of a Git host; undefined: none. Adds mistakes to `problems`. */
export async function readForge(
  flags: ForgeFlags,
  address: RepositoryAddress | undefined,
  console: Console,
  problems: Problem[],
): Promise<ForgePlace | undefined> {
  const { env } = console.io;
  const { previews = false, commit_statuses: commitStatuses = false } = flags.operator;
  if (!previews && !commitStatuses) return undefined;
  const place = findForge(address?.url ?? "", flags, env, problems);
  if (!place) return undefined;
  const { api, project } = place;
  let last: { token: string; forge: Forge } | undefined;
  return {
    previews,
    commitStatuses,
    api,
    project: projectAt(api, project),
    async forge() {
      const settings = await forgeSettings(console, api, longestLimit);
      // A token file that is being replaced has no token for a moment.
      if (last && (settings.token === "" || settings.token === last.token)) return last.forge;
      last = { token: settings.token, forge: forgeAt(api).connect(project, settings) };
      return last.forge;
    },
  };
}

/** The pages of the commits of a repository; undefined: its Git host is unknown. @param api of the Git host, if it is used */
export function pagesOfCommits(
  { url }: RepositoryAddress,
  api: string | undefined,
  { env }: Console["io"],
): (commit: string) => string | undefined {
  const known = api ?? (env["INFRASYNC_GIT_HOST_API"] || publicApi(placeOf(url).host));
  return (commit) => (known === undefined ? undefined : commitPage(forgeAt(known), url, commit));
}
