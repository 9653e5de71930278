import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { UserAction } from "../../reconciler/index.ts";
import { type VerbWords, verbs } from "../../reconciler/verbs.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { wordsOfFlags, advise } from "../render/command-advice.ts";
import type { Console } from "../terminal/console.ts";
import { type ServiceEndpoint, messageIn } from "./endpoint.ts";
import { membersIn, whereItRuns } from "./verbs.ts";

/** Sends a request to a running service, and shows its confirmation. Returns the exit code. */
export async function sendUserAction(
  { type, environment }: Pick<UserAction, "type"> & { environment: string | undefined },
  flags: Readonly<Record<string, unknown>>,
  endpoint: ServiceEndpoint,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const action = { type, environment, ...membersIn(type, flags), dry_run: flags["dryRun"] };
  const answer = await endpoint({ type: "action", action });
  const message = messageIn(answer) ?? "the server at this URL is not an infrasync service";
  if (answer.status !== 200 || messageIn(answer) === undefined)
    throw new CommandError(answer.status === 403 ? "forbidden" : "invalid_input", exitCodes.invalid, {
      message,
    });
  const { endedBy }: VerbWords = verbs[type];
  if (endedBy === undefined || flags["dryRun"]) console.note(message);
  else
    advise(console, `${message} To end this:`, [
      "reconcile",
      endedBy,
      ...(environment === undefined ? [] : [environment]),
      ...flagsToService(console),
    ]);
  return exitCodes.done;
}

/** The flags of the command line that lead to the same service. */
export function flagsToService({ typed }: Console): string[] {
  return wordsOfFlags(typed?.flags.filter(({ name }) => whereItRuns.includes(name)));
}
