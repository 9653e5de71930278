import { systemClock } from "../../core/api/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import { type ForgeSettings, placeOf, publicApi } from "../../adapters/forge/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { readSecretText } from "./secret-text.ts";

const tokenName = "INFRASYNC_GIT_HOST_TOKEN";

/** The connection to a Git host with the present token, which is empty if none is set. */
export async function forgeSettings(
  console: Console,
  apiUrl: string,
  longestWait: number,
): Promise<ForgeSettings> {
  const { env: environment, signal, clock = systemClock } = console.io;
  const token = (await readSecretText(tokenName, console)) ?? "";
  return { apiUrl, token, environment, signal, clock, longestWait };
}

/** @param title of the Git host, with an article where it needs one */
export function noToken(title: string): Problem {
  return {
    code: "argument",
    message: `no token for ${title} is set`,
    advice: `set ${tokenName}, or ${tokenName}_FILE to a file that contains it`,
  };
}

/** The API and the project of a repository's Git host, by flags, variables and its URL; undefined: unknown. */
export function findForge(
  url: string,
  flags: { gitHostApi?: string; gitHostProject?: string },
  env: Io["env"],
  problems: Problem[],
): { api: string; project: string } | undefined {
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const { host, project: given } = placeOf(url);
  const api = flags.gitHostApi ?? (env["INFRASYNC_GIT_HOST_API"] || publicApi(host));
  const project = flags.gitHostProject ?? (env["INFRASYNC_GIT_HOST_PROJECT"] || given);
  if (!api)
    refuse(
      `the Git host of the repository is unknown${host === "" ? "" : `: ${escapeControl(host)}`}`,
      "name its API with INFRASYNC_GIT_HOST_API, such as https://git.example.com/api/v4 for a GitLab",
    );
  if (!project || !/^[\w.-]+(?:\/[\w.-]+)+$|^\d+$/.test(project))
    refuse(
      "the project on the Git host is unknown",
      "name it with INFRASYNC_GIT_HOST_PROJECT, such as acme/infra",
    );
  if (!(env[tokenName] || env[`${tokenName}_FILE`])) problems.push(noToken("the Git host"));
  return api && project ? { api, project } : undefined;
}
