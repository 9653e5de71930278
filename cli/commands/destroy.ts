import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Command } from "./command.ts";
import { addApplying, addConnection, addDeleting, addOutput, addSources, runFormats } from "./options.ts";

/** `infrasync destroy`: deletes the resources that the manifests describe. */
export const destroy: Command<[sources: string[]], PlanFlags & ConsentFlags> = {
  name: "destroy",
  description: "Delete the resources that the manifests describe.",
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
    const { makeChange } = await import("../support/make-change.ts");
    const { openSession } = await import("../support/session.ts");
    const { proposeWanted } = await import("../support/wanted.ts");
    const { readInputs } = await import("../support/inputs.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    const unanswered = missingAnswer("destroy", "infrasync plan --destroy", flags, sources, console);
    const { settings, ...wanted } = await readInputs(sources, flags, console, unanswered);
    return withStatus(console, async (status) => {
      status.reading();
      const session = await openSession(settings, console, status);
      const prepared = await proposeWanted("destroy", wanted, session);
      status.pause();
      return makeChange({ ...prepared, canTarget: true }, { settings, flags, status, console });
    });
  },
};
