import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import type { CiJob, ForgeSystem } from "./system.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

export const forges: readonly ForgeSystem[] = [github, gitlab];

/** The Git host of an API; GitHub if the address does not tell. @param apiUrl `https://git.example.com/api/v4` */
export function forgeAt(apiUrl: string): ForgeSystem {
  const path = new URL(apiUrl).pathname.replace(/\/+$/, "");
  return forges.find((forge) => forge.hasApiAt(path)) ?? github;
}

/** The API of a public Git host: `https://api.github.com` for `github.com`. */
export function publicApi(host: string): string | undefined {
  return forges.find(({ publicServer }) => publicServer.host === host)?.publicServer.apiUrl;
}

/** A project on a Git host, for marks and messages: `github.com/acme/shop`. */
export function projectAt(apiUrl: string, project: string): string {
  const known = forges.find(({ publicServer }) => publicServer.apiUrl === apiUrl.replace(/\/+$/, ""));
  return `${known?.publicServer.host ?? URL.parse(apiUrl)?.host ?? ""}/${project}`;
}

/** The job of this process, and its Git host. @throws InvalidInputError where the job cannot be read */
export async function currentJob(
  environment: EnvironmentVariables,
): Promise<{ forge: ForgeSystem; job: CiJob } | undefined> {
  for (const forge of forges) {
    const job = await forge.jobIn(environment);
    if (job) return { forge, job };
  }
  return undefined;
}
