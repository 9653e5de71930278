import { systemClock } from "../../../core/api/index.ts";
import type { Problem } from "../../../core/problem.ts";
import { escapeControl } from "../../../core/text.ts";
import { type Forge, forgeAt, type ForgeSettings, publicApi } from "../../../forge/index.ts";
import type { RepositoryAddress } from "../../../git/index.ts";
import type { Console } from "../../terminal/console.ts";
import { readSecretText } from "../../support/secret-text.ts";

/** Flags of the forge. Each has an environment variable, such as `INFRASYNC_PREVIEWS`. */
export interface ForgeFlags {
  previews?: boolean;
  commitStatuses?: boolean;
  forgeApi?: string;
  forgeProject?: string;
}

/** What the reconciler does on the forge. */
export interface ForgePlace {
  previews: boolean;
  commitStatuses: boolean;
  /** The forge, with the token as it is now. */
  forge(): Promise<Forge>;
}

const tokenName = "INFRASYNC_FORGE_TOKEN";
/** The longest wait for a limit of the forge, in milliseconds: the next cycle tries again. */
const longestLimit = 5000;

/**
 * How a forge is reached with the token as it is now, which is empty where none is set.
 *
 * @param longestWait for a limit of the forge, in milliseconds
 */
export async function forgeSettings(
  console: Console,
  apiUrl: string,
  longestWait: number,
): Promise<ForgeSettings> {
  const { env: environment, signal, clock = systemClock } = console.io;
  const token = (await readSecretText(tokenName, console.io)) ?? "";
  if (token !== "") console.hide(token);
  return { apiUrl, token, environment, signal, clock, longestWait };
}

/** @param title of the forge, with an article where it needs one */
export function noToken(title: string): Problem {
  return {
    code: "argument",
    message: `no token for ${title} is set`,
    advice: `set ${tokenName}, or ${tokenName}_FILE to a file that contains it`,
  };
}

/** Reads what is done on which forge; undefined: nothing. Adds mistakes to `problems`. */
export async function readForge(
  flags: ForgeFlags,
  address: RepositoryAddress | undefined,
  console: Console,
  problems: Problem[],
): Promise<ForgePlace | undefined> {
  const { env } = console.io;
  const isOn = (flag: boolean | undefined, variable: string) =>
    flag ?? ["1", "true"].includes(env[variable] ?? "");
  const previews = isOn(flags.previews, "INFRASYNC_PREVIEWS");
  const commitStatuses = isOn(flags.commitStatuses, "INFRASYNC_COMMIT_STATUSES");
  if (!previews && !commitStatuses) return undefined;
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const { host, project: given } = placeOf(address?.url ?? "");
  const api = flags.forgeApi ?? (env["INFRASYNC_FORGE_API"] || publicApi(host));
  const project = flags.forgeProject ?? (env["INFRASYNC_FORGE_PROJECT"] || given);
  if (!api)
    refuse(
      `the forge of the repository is not known${host === "" ? "" : `: ${escapeControl(host)}`}`,
      "name its API with --forge-api, such as https://git.example.com/api/v4 for a GitLab",
    );
  if (!project || !/^[\w.-]+(?:\/[\w.-]+)+$|^\d+$/.test(project))
    refuse("the project on the forge is not known", "name it with --forge-project, such as acme/infra");
  if (!(env[tokenName] || env[`${tokenName}_FILE`])) problems.push(noToken("the forge"));
  if (!api || !project) return undefined;
  let last: { token: string; forge: Forge } | undefined;
  return {
    previews,
    commitStatuses,
    async forge() {
      const settings = await forgeSettings(console, api, longestLimit);
      // A token file that is being replaced has no token for a moment.
      if (last && (settings.token === "" || settings.token === last.token)) return last.forge;
      last = { token: settings.token, forge: forgeAt(api).connect(project, settings) };
      return last.forge;
    },
  };
}

/** The host and the project in the address of a repository, as far as it has them. */
function placeOf(url: string): { host: string; project: string | undefined } {
  const [, scpHost, scpPath] = /^\w[\w.-]*@([\w.-]+):([^:]+)$/.exec(url) ?? [];
  const parsed = scpHost === undefined ? URL.parse(url) : undefined;
  const host = scpHost ?? parsed?.hostname ?? "";
  const path = (scpPath ?? parsed?.pathname ?? "").replace(/^\/+/, "").replace(/\.git\/?$|\/+$/g, "");
  return { host, project: host === "" || path === "" ? undefined : path };
}
