import { existsSync } from "node:fs";
import { formatReference } from "../../core/address.ts";
import { parentKindAt } from "../../core/kinds/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { readResourceArgument } from "../support/resource-argument.ts";
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
    const named = sources.filter((text) => /[/:]/.test(text) && !existsSync(text)).flatMap(asTarget);
    if (named.length > 0) throw new InvalidInputError(named);
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

/** The problem of the address of a resource where files and folders belong. */
function asTarget(text: string): Problem[] {
  const meant = readResourceArgument(text);
  if ("problem" in meant) return [];
  const names = "names" in meant ? meant.names : meant.address.names;
  const inside = parentKindAt(names.length - 1) ? ` --target '${formatReference(names)}/**'` : "";
  return [
    {
      code: "argument",
      message: `${text} is the address of a resource, and destroy needs the manifests that describe it`,
      advice: `infrasync destroy manifests --target '${text}'${inside}`,
    },
  ];
}
