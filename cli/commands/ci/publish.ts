import { appendFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import type { Console } from "../../terminal/console.ts";

/** GitHub shows summaries of up to a mebibyte. */
const longestSummary = 1_000_000;

/** Adds Markdown to the summary of the job, where the forge has one. */
export async function summarize(markdown: string, console: Console): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = console.io.env;
  if (file) await appendFile(file, `${console.redact(markdown).slice(0, longestSummary)}\n`);
}

/** Sets outputs of the step, where the forge has them. */
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
