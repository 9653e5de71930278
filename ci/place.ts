import { InvalidInputError, refusal } from "../core/problems/problem.ts";
import { type CiJob, currentJob, type Forge, forges } from "../adapters/forge/index.ts";
import { forgeSettings, noToken } from "../cli/repository/forge.ts";
import type { CiFlags } from "./status-text.ts";
import type { Console } from "../cli/terminal/console.ts";
import { appendFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";

/** Milliseconds: somebody waits for the end. */
const longestLimit = 300_000;

export interface CiPlace extends Pick<CiJob, "event" | "defaultBranch" | "url"> {
  /** `GitHub`. */
  forge: string;
  pullRequestWord: string;
  /** @throws InvalidInputError where no token is set */
  connect(): Promise<Forge>;
}

/** Reads the place of the job from its environment. @throws InvalidInputError on an unknown place */
export async function readCiPlace(
  { dryRun = false }: Pick<CiFlags, "dryRun">,
  console: Console,
): Promise<CiPlace> {
  const current = await currentJob(console.io.env);
  if (!current)
    throw refusal(
      "argument",
      `this is not running in ${forges.map(({ pipelines }) => pipelines).join(" or ")}`,
      "elsewhere, use infrasync plan --output markdown and infrasync apply --expect DIGEST",
    );
  const { forge, job } = current;
  return {
    forge: forge.title,
    pullRequestWord: forge.pullRequestWord,
    event: job.event,
    defaultBranch: job.defaultBranch,
    url: job.url,
    async connect() {
      const settings = await forgeSettings(console, job.apiUrl, longestLimit);
      if (settings.token === "") throw new InvalidInputError([noToken(forge.title)]);
      const connected = forge.connect(job.project, settings);
      return dryRun ? readOnly(connected) : connected;
    },
  };
}

/** A Git host on which a dry run comments and reports nothing. */
function readOnly(forge: Forge): Forge {
  const skipped: Partial<Forge> = {
    addComment: (_number, body) => Promise.resolve({ id: "", body }),
    editComment: () => Promise.resolve(),
    removeComment: () => Promise.resolve(),
    setStatus: () => Promise.resolve(),
  };
  return new Proxy(forge, {
    get(target, name: keyof Forge) {
      const member = skipped[name] ?? target[name];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** GitHub shows summaries of up to a mebibyte. */
const longestSummary = 1_000_000;

/** Adds Markdown to the summary of the job, if the Git host has one. */
export async function summarize(markdown: string, console: Console): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = console.io.env;
  if (file) await appendFile(file, `${console.redact(markdown).slice(0, longestSummary)}\n`);
}

/** Sets outputs of the step, if the Git host has them. */
export async function setOutputs(outputs: Record<string, string>, console: Console): Promise<void> {
  const { GITHUB_OUTPUT: file } = console.io.env;
  if (!file) return;
  // With a random end mark no value can set another output.
  const lines = Object.entries(outputs).map(([name, value]) => {
    const end = `end-${randomUUID()}`;
    return `${name}<<${end}\n${console.redact(value)}\n${end}\n`;
  });
  await appendFile(file, lines.join(""));
}
