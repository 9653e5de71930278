import { InvalidInputError } from "../../core/problems/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { addOutput } from "./options.ts";
import { fieldHelp, kindsHelp } from "../../core/manifests/manifest/index.ts";
import { renderTable } from "../render/width.ts";
import { fieldHelpJson, renderFieldHelp } from "../render/field-help.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";

/** `infrasync explain`: shows the documentation of a kind or a field. */
export const explain: Command<[field: string | undefined], object> = {
  examples: [
    "explain",
    "explain job",
    "explain job.schedule.cronjob",
    "explain application.ports.protocol --output json",
  ],

  declare(line) {
    line.argument(
      "[field]",
      "a kind, or a field by its path, such as job.schedule.cronjob (default: the list of kinds)",
    );
    addOutput(line);
  },

  async run({ args: [text], console }) {
    const found = text === undefined ? { help: kindsHelp() } : fieldHelp(text);
    if ("problem" in found) throw new InvalidInputError([found.problem]);
    if (console.json) {
      console.document(outputOf("explanation", fieldHelpJson(found.help)));
    } else if (text === undefined) {
      const rows = found.help.members.map(({ path, description }) => [path, description]);
      console.data(renderTable(["KIND", "DESCRIPTION"], rows, console.dataColors));
    } else console.data(renderFieldHelp(found.help, console.dataColors));
    return exitCodes.done;
  },
};
