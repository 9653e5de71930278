import { InvalidInputError } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { addOutput } from "./options.ts";
import { fieldHelp } from "../../core/manifest/index.ts";
import { fieldHelpJson, renderFieldHelp } from "../render/field-help.ts";
import { outputOf } from "../../core/forms/index.ts";

/** `infrasync explain`: shows the documentation of a kind or a field. */
export const explain: Command<[field: string], object> = {
  examples: [
    "explain job",
    "explain job.schedule.cronjob",
    "explain application.ports.protocol --output json",
  ],

  declare(line) {
    line.argument("<field>", "a kind, or a field by its path, such as job.schedule.cronjob");
    addOutput(line);
  },

  async run({ args: [text], console }) {
    const found = fieldHelp(text);
    if ("problem" in found) throw new InvalidInputError([found.problem]);
    if (console.json) {
      console.document(outputOf("explanation", fieldHelpJson(found.help)));
    } else console.data(renderFieldHelp(found.help, console.dataColors));
    return exitCodes.done;
  },
};
