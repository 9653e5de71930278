import { InvalidInputError } from "../../core/problems/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { fieldHelp, kindsHelp } from "../../core/manifests/manifest/index.ts";
import { renderTable } from "../render/width.ts";
import { fieldHelpJson, renderFieldHelp } from "../render/field-help.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";

/** `infrasync explain`: shows the documentation of a kind or a field. */
export const explain: Command<[field: string | undefined], object> = {
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
