import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import type { Wish } from "../../../reconciler/index.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import type { Console } from "../../terminal/console.ts";
import { type Door, messageIn } from "./door.ts";

/** Flags of the wishes that a person sends to a running service. */
export interface WishFlags {
  plan?: string;
  to?: string;
  for?: string;
  until?: string;
  reason?: string;
  all?: boolean;
}

/** Asks a running service for something, and shows what it has confirmed. Returns the exit code. */
export async function sendWish(
  { type, environment }: Pick<Wish, "type" | "environment">,
  flags: WishFlags,
  door: Door,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const { plan, to: commit, for: length, until, reason, all } = flags;
  const wish = { type, environment, plan, commit, for: length, until, reason, all };
  const answer = await door.ask({ type: "wish", wish });
  const message = messageIn(answer) ?? "what answers there is no service of infrasync";
  if (answer.status !== 200 || messageIn(answer) === undefined)
    throw new CommandError(answer.status === 403 ? "forbidden" : "invalid_input", exitCodes.invalid, {
      message,
    });
  console.note(message);
  return exitCodes.done;
}
