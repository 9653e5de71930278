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

/** What the operator's settings file says of the forge, and what the document of a source does. */
export interface ForgeFlags extends OperatorFlags {
  forgeApi?: string;
  forgeProject?: string;
}

/** The uses of the forge by the reconciler. */
export interface ForgePlace {
  previews: boolean;
  commitStatuses: boolean;
  /** Its API. */
  api: string;
  /** Its host and the project there, as marks have it: `github.com/acme/shop`. */
  project: string;
  /** The forge, with the token as it is now. */
  forge(): Promise<Forge>;
}

/** The longest wait for a limit of the forge, in milliseconds: the next cycle tries again. */
const longestLimit = 5000;

/** Reads what is done on which forge; undefined if nothing is done. Adds mistakes to `problems`. */
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

/**
 * Where the commits of a repository have their pages.
 *
 * @param api of the forge, where something is done there
 * @returns undefined for a commit whose forge is not known
 */
export function pagesOfCommits(
  { url }: RepositoryAddress,
  api: string | undefined,
  { env }: Console["io"],
): (commit: string) => string | undefined {
  const known = api ?? (env["INFRASYNC_FORGE_API"] || publicApi(placeOf(url).host));
  return (commit) => (known === undefined ? undefined : commitPage(forgeAt(known), url, commit));
}
