import { escapeControl } from "../../core/text.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { addOutput, planFormats } from "./options.ts";
import { readAnyPlan } from "../../core/forms/saved-plan/index.ts";
import { advise } from "../render/advise.ts";
import { fitted } from "../render/width.ts";

/** `infrasync show`: shows a saved plan without a server. */
export const show: Command<[file: string], { output?: "text" | "json" | "markdown" }> = {
  examples: ["show plan.json", "show plan.json --output markdown > comment.md"],

  declare(line) {
    line.argument("<file>", "a plan that infrasync plan --out has saved");
    addOutput(line, planFormats());
  },

  async run({ args: [file], flags, console }) {
    const { plan, shown, baseUrl, appliedAt } = await readAnyPlan(file);
    if (console.json) console.document(plan);
    else if (!shown) throw onlyJson(file);
    else if (flags.output === "markdown") console.data(shown.markdown);
    else console.data(fitted(colored(shown.text, console.dataColors.isColorSupported), console.dataWidth));
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

/** A text with its colours, or without them; whatever else controls a terminal is escaped. */
function colored(text: string, isColored: boolean): string {
  // eslint-disable-next-line no-control-regex
  const parts = text.split(/(\u001b\[\d{1,3}m|\n)/);
  return parts
    .map((part, index) => (index % 2 === 0 ? escapeControl(part) : part === "\n" || isColored ? part : ""))
    .join("");
}

function onlyJson(file: string): CommandError {
  return new CommandError("invalid_input", exitCodes.invalid, {
    message: `the plan file ${file} was saved by a program, without a text`,
    advice: "show it with --output json",
  });
}
