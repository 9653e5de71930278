import { wordsOfFlags } from "../render/command-advice.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { makeChange } from "../change/make-change.ts";
import { withSession } from "../session/session.ts";
import { proposeDesired } from "../change/desired-plan.ts";
import { expectedDigest } from "../change/expected-digest.ts";
import { readInputs } from "../change/inputs.ts";
import type { CommandLineFlag } from "../terminal/typed-command.ts";
import type { NextCommands } from "../render/pending-deployments.ts";

/** `infrasync apply`: carries out the plan for the manifests, or a saved plan. */
export const apply: Command<
  [sources: string[]],
  PlanFlags &
    ConsentFlags & { plan?: string; expect?: string; output?: "text" | "json" | "jsonl" | "markdown" }
> = {
  async run(all) {
    const {
      args: [sources],
      flags,
      given,
      console,
    } = all;
    if (flags.plan !== undefined) {
      const { applySaved } = await import("./apply/saved-plan.ts");
      return applySaved(flags.plan, all);
    }
    const expected = expectedDigest(flags.expect);
    const unanswered = missingAnswer("apply", "infrasync plan", flags, sources, console);
    const requested = { unanswered, isRequestedLater: true };
    const { settings, ...desired } = await readInputs(sources, flags, console, requested);
    if (flags.wait && !settings.deploy) throw nothingToWaitFor();
    return withSession({ settings, console, flags }, async (session, status) => {
      const prepared = await proposeDesired("reconcile", desired, session);
      status.pause();
      const next = nextCommands(sources, given);
      return makeChange(
        { ...prepared, expected, next, canTarget: true, unanswered },
        { settings, flags, status, console },
      );
    });
  },
};

function nothingToWaitFor(): CommandError {
  return new CommandError("usage", exitCodes.invalid, {
    message: "--wait needs --deploy: without it, there is no deployment to wait for",
    advice: "add --deploy, or deploy: true to the settings file",
  });
}

/** Flags of one run only, which the next command does not repeat. */
const onlyOnce = new Set(["--expect"]);

/** The words of the commands after an apply: the same one again, and the flags for the same server. */
function nextCommands(sources: readonly string[], given: readonly CommandLineFlag[]): NextCommands {
  const wordsIn = (isDesired: (flag: CommandLineFlag) => boolean) => wordsOfFlags(given.filter(isDesired));
  const flags = wordsIn(({ name, group }) => group !== "Output:" && !onlyOnce.has(name));
  return {
    ...(!sources.includes("-") && { again: ["apply", ...sources, ...flags] }),
    connection: wordsIn(({ group }) => group === "Connection:"),
  };
}
