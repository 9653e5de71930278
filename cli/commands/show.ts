import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { addOutput, planFormats } from "./options.ts";
import { readAnyPlan } from "../../core/forms/saved-plan/index.ts";
import { showPlan } from "../support/show-plan.ts";

interface Flags {
  output?: "text" | "json" | "markdown" | "html";
}

/** `infrasync show`: shows a saved plan without a server. */
export const show: Command<[file: string], Flags> = {
  examples: ["show plan.json", "show plan.json --output markdown > comment.md"],

  declare(line) {
    line.argument("<file>", "a plan that infrasync plan --out has saved");
    addOutput(line, planFormats());
  },

  async run({ args: [file], flags, console }) {
    const { plan, baseUrl, appliedAt } = await readAnyPlan(file);
    await showPlan(plan, { budget: {} }, flags.output, console);
    if (!console.json)
      console.note(
        `\nMade for ${escapeControl(baseUrl)}. ${
          appliedAt === undefined
            ? `To apply exactly this plan: infrasync apply --plan ${escapeControl(file)}`
            : `Applied at ${appliedAt}; a saved plan is used once.`
        }`,
      );
    return exitCodes.done;
  },
};
