import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Console } from "./console.ts";

/** Whether the command line has answered the question already. */
interface PromptAnswer {
  autoApprove?: boolean;
}

/**
 * The problem of a command that needs a confirmation and cannot ask for it. Found before any request is sent.
 *
 * @param preview the command line that shows the changes, if there is one
 */
export function missingAnswer(
  command: string,
  preview: string | undefined,
  { autoApprove }: PromptAnswer,
  sources: readonly string[],
  console: Console,
): Problem[] {
  if (autoApprove) return [];
  const { stdin, stderr } = console.io;
  const readsInput = sources.includes("-");
  if (stdin.isTTY && stderr.isTTY && !readsInput) return [];
  const why = readsInput ? "standard input contains the manifests" : "there is no terminal";
  return [
    {
      code: "confirmation",
      message: `${command} cannot ask for confirmation, because ${why}`,
      advice: `add --yes to skip the confirmation${preview === undefined ? "" : `; ${preview} shows the changes`}`,
      remedies: [{ setting: "auto_approve" }],
    },
  ];
}

/** Checks that a command can ask for confirmation. @throws InvalidInputError */
export function ensureAnswer(command: string, answered: PromptAnswer, console: Console): void {
  const problems = missingAnswer(command, undefined, answered, [], console);
  if (problems.length > 0) throw new InvalidInputError(problems, "consent");
}

/** Asks for a text on the terminal. Undefined after an empty answer, at the end of input and after an interruption. */
export async function askText(question: string, console: Console): Promise<string | undefined> {
  const answer = (await answerTo(`${question}: `, console))?.trim();
  return answer === "" ? undefined : answer;
}

/** Asks for confirmation on the terminal. Only `yes` confirms; any other answer and the end of input decline. */
export async function ask(text: string, console: Console): Promise<boolean> {
  const answer = await answerTo(`\n${text}\n  Only "yes" is accepted: `, console);
  return answer?.trim() === "yes";
}

/** The line that a person types after a question; undefined at the end of input and after an interruption. */
async function answerTo(question: string, console: Console): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const { stdin, stderr, signal } = console.io;
  // Without `terminal`, Ctrl-C reaches the process as a signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([lines.question(question, { signal }), ended]);
    if (answer === undefined) console.note("");
    return answer;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.note("");
    return undefined;
  } finally {
    lines.close();
  }
}
