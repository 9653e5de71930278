import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { addApplying, addConnection, addDeleting, addOutput, addSources, runFormats } from "./options.ts";
import { makeChange } from "../support/make-change.ts";
import { withSession } from "../support/session.ts";
import { proposeWanted } from "../support/wanted.ts";
import { readInputs } from "../support/inputs.ts";

/** `infrasync destroy`: deletes the resources that the manifests describe. */
export const destroy: Command<[sources: string[]], PlanFlags & ConsentFlags> = {
  examples: ["destroy manifests", "destroy manifests --target 'shop/preview-*/**' --yes"],

  declare(line) {
    addSources(line);
    addDeleting(line);
    addApplying(line);
    addConnection(line);
    addOutput(
      line,
      runFormats("text, one JSON document on standard output, or jsonl: a line of JSON for each event"),
    );
  },

  async run({ args: [sources], flags, console }) {
    const unanswered = missingAnswer("destroy", "infrasync plan --destroy", flags, sources, console);
    const { settings, ...wanted } = await readInputs(sources, flags, console, {
      unanswered,
      isDestroy: true,
    });
    return withSession({ settings, console }, async (session, status) => {
      const prepared = await proposeWanted("destroy", wanted, session);
      status.pause();
      return makeChange({ ...prepared, canTarget: true }, { settings, flags, status, console });
    });
  },
};
