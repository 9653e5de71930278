import { InvalidInputError } from "../../../core/problem.ts";
import { type CiJob, currentJob, type Forge, forges } from "../../../forge/index.ts";
import { forgeSettings, noToken } from "../reconcile/forge.ts";
import type { Console } from "../../terminal/console.ts";

/** The longest wait for a limit of the forge, in milliseconds. */
const patience = 300_000;

/** Where a job runs, and for what. */
export interface CiPlace extends Pick<CiJob, "event" | "defaultBranch" | "url"> {
  /** `GitHub`. */
  forge: string;
  /** @throws InvalidInputError where no token is set */
  connect(): Promise<Forge>;
}

/** Reads from the environment of the job where it runs. @throws InvalidInputError on none that is known */
export async function readCiPlace(console: Console): Promise<CiPlace> {
  const current = await currentJob(console.io.env);
  if (!current)
    throw new InvalidInputError([
      {
        code: "argument",
        message: `this is not running in ${forges.map(({ pipelines }) => pipelines).join(" or ")}`,
        advice: "elsewhere, use infrasync plan --output markdown and infrasync apply --expect DIGEST",
      },
    ]);
  const { forge, job } = current;
  return {
    forge: forge.title,
    event: job.event,
    defaultBranch: job.defaultBranch,
    url: job.url,
    async connect() {
      const settings = await forgeSettings(console, job.apiUrl, patience);
      if (settings.token === "") throw new InvalidInputError([noToken(forge.title)]);
      return forge.connect(job.project, settings);
    },
  };
}
