import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import type { CiJob, ForgeSystem } from "./system.ts";
import type { EnvironmentVariables } from "../../core/api/index.ts";

/** The forges that infrasync works with. */
export const forges: readonly ForgeSystem[] = [github, gitlab];

/** The forge that serves an API; GitHub where the address does not tell, as on an Enterprise Server. @param apiUrl `https://git.example.com/api/v4` */
export function forgeAt(apiUrl: string): ForgeSystem {
  const path = new URL(apiUrl).pathname.replace(/\/+$/, "");
  return forges.find((forge) => forge.hasApiAt(path)) ?? github;
}

/** The API of the forge that everybody can use at a host: `https://api.github.com` for `github.com`. */
export function publicApi(host: string): string | undefined {
  return forges.find(({ publicServer }) => publicServer.host === host)?.publicServer.apiUrl;
}

/** A project on a forge, as marks and messages have it: `github.com/acme/shop`. */
export function projectAt(apiUrl: string, project: string): string {
  const known = forges.find(({ publicServer }) => publicServer.apiUrl === apiUrl.replace(/\/+$/, ""));
  return `${known?.publicServer.host ?? URL.parse(apiUrl)?.host ?? ""}/${project}`;
}

/** The job that this process runs in, and its forge. @throws InvalidInputError where the job cannot be read */
export async function currentJob(
  environment: EnvironmentVariables,
): Promise<{ forge: ForgeSystem; job: CiJob } | undefined> {
  for (const forge of forges) {
    const job = await forge.jobIn(environment);
    if (job) return { forge, job };
  }
  return undefined;
}
