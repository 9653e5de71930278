import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { UserAction } from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { wordsOfFlags } from "../render/command-advice.ts";
import { advise } from "../render/advise.ts";
import type { Console } from "../terminal/console.ts";
import { type ServiceEndpoint, messageIn } from "./endpoint.ts";

/** The flags that say where the running service is. */
export const whereItRuns: readonly string[] = ["--data", "--url", "--database", "--source", "--listen"];

/** What ends an action that holds for a while. */
const undoing: Partial<Record<UserAction["type"], string>> = { pause: "resume", rollback: "follow" };

/** Flags of the actions that a person asks for to a running service. */
export interface UserActionFlags {
  plan?: string;
  to?: string;
  for?: string;
  until?: string;
  reason?: string;
  all?: boolean;
}

/** Asks a running service for something, and shows what it has confirmed. Returns the exit code. */
export async function sendUserAction(
  { type, environment }: Pick<UserAction, "type" | "environment">,
  flags: UserActionFlags,
  door: ServiceEndpoint,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const { plan, to: commit, for: length, until, reason, all } = flags;
  const action = { type, environment, plan, commit, for: length, until, reason, all };
  const answer = await door.ask({ type: "action", action });
  const message = messageIn(answer) ?? "what answers there is no service of infrasync";
  if (answer.status !== 200 || messageIn(answer) === undefined)
    throw new CommandError(answer.status === 403 ? "forbidden" : "invalid_input", exitCodes.invalid, {
      message,
    });
  const undoes = undoing[type];
  if (undoes === undefined) console.note(message);
  else
    advise(console, `${message} To end this:`, [
      "reconcile",
      undoes,
      ...(environment === "" ? [] : [environment]),
      ...flagsToService(console),
    ]);
  return exitCodes.done;
}

/** The flags of the command line that lead to the same service. */
export function flagsToService({ typed }: Console): string[] {
  return wordsOfFlags(typed?.flags.filter(({ name }) => whereItRuns.includes(name)));
}
