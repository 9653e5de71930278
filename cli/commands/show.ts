import { escapeControl } from "../../core/values/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { showPlan } from "../change/show-plan.ts";
import type { Command } from "./command.ts";
import { readAnyPlan } from "../../core/outputs/forms/saved-plan/index.ts";
import { advise } from "../render/command-advice.ts";

/** `infrasync show`: shows a saved plan without a server. */
export const show: Command<[file: string], { output?: "text" | "json" | "markdown" }> = {
  async run({ args: [file], flags, console }) {
    const { form, plan, baseUrl, appliedAt, ...more } = await readAnyPlan(file);
    if (console.json) console.document(form);
    else await showPlan(plan, { set: form.set, budget: {}, ...more }, flags.output, console);
    if (!console.json)
      advise(
        console,
        `\nMade for ${escapeControl(baseUrl)}. ${
          appliedAt === undefined
            ? "To apply exactly this plan:"
            : `Applied at ${appliedAt}; a saved plan is used once.`
        }`,
        ...(appliedAt === undefined ? [["apply", "--plan", file]] : []),
      );
    return exitCodes.done;
  },
};
