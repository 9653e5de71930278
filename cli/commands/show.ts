import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { addOutput, planFormats } from "./options.ts";

interface Flags {
  output?: "text" | "json" | "markdown" | "html";
}

/** `infrasync show`: shows a saved plan without a server. */
export const show: Command<[file: string], Flags> = {
  name: "show",
  description: "Show a saved plan, without sending requests.",
  examples: ["show plan.json", "show plan.json --output markdown > comment.md"],

  declare(line) {
    line.argument("<file>", "a plan that infrasync plan --out has saved");
    addOutput(line, planFormats());
  },

  async run({ args: [file], flags, console }) {
    const { readAnyPlan } = await import("../../core/forms/saved-plan/index.ts");
    const { showPlan } = await import("../support/show-plan.ts");
    const { plan, baseUrl } = await readAnyPlan(file);
    await showPlan(plan, { budget: {} }, flags.output, console);
    if (!console.json)
      console.note(
        `\nMade for ${escapeControl(baseUrl)}. To apply exactly this plan: infrasync apply --plan ${escapeControl(file)}`,
      );
    return exitCodes.done;
  },
};
