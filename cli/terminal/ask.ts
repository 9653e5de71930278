import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Console } from "./console.ts";

/** Whether the command line has answered the question already. */
interface PromptAnswer {
  autoApprove?: boolean;
  /** Nothing is done, so nothing is asked. */
  dryRun?: boolean;
}

/** The problem of a command that needs a confirmation and cannot ask for it, found before any request. */
export function missingAnswer(
  command: string,
  preview: string | undefined,
  { autoApprove, dryRun }: PromptAnswer,
  sources: readonly string[],
  console: Console,
): Problem[] {
  if (autoApprove || dryRun) return [];
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
  if (problems.length > 0) throw new InvalidInputError(problems, "not_approved");
}

/** Asks for a text on the terminal. Undefined after an empty answer, at the end of input and after an interruption. */
export async function askText(question: string, console: Console): Promise<string | undefined> {
  const answer = await answerTo(`${question}: `, (line) => line.trim(), console);
  return answer === "" ? undefined : answer;
}

const answers: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

/** Asks for confirmation on the terminal until the answer is one; the end of input and an interruption decline. */
export async function ask(text: string, console: Console): Promise<boolean> {
  const read = (line: string) => answers[line.trim().toLowerCase()];
  return (await answerTo(`\n${text} [y/n]: `, read, console)) ?? false;
}

/** The first answer that can be read; undefined at the end of input and after an interruption. */
async function answerTo<Answer>(
  question: string,
  read: (line: string) => Answer | undefined,
  console: Console,
): Promise<Answer | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const { stdin, stderr, signal } = console.io;
  // Without `terminal`, Ctrl-C reaches the process as a signal.
  const lines = createInterface({ input: stdin, terminal: false, signal });
  stderr.write(question);
  try {
    for await (const line of lines) {
      const answer = read(line);
      if (answer !== undefined) return answer;
      stderr.write("Answer y or n: ");
    }
    console.note("");
    return undefined;
  } finally {
    lines.close();
  }
}
