import { Option } from "commander";
import { readHistory } from "../../core/events/index.ts";
import { outputOf } from "../../core/forms/index.ts";
import { findLive } from "../../core/import/live/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { historyJson, renderHistory } from "../render/history.ts";
import type { SettingFlags } from "../settings/names.ts";
import { readSettings } from "../support/read-settings.ts";
import { readResourceArgument } from "../support/resource-argument.ts";
import { withSession } from "../support/session.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

interface Flags extends SettingFlags {
  limit: number;
}

/** `infrasync history`: shows who did what, and when. */
export const history: Command<[address: string | undefined], Flags> = {
  examples: ["history", "history shop/production", "history job:shop/production/migrate --limit 5"],

  declare(line) {
    line
      .argument(
        "[address]",
        "resource, such as shop/production or job:shop/production/migrate (default: the whole organization)",
      )
      .addOption(new Option("--limit <number>", "how many entries").default(20).argParser(readLimit));
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [text], flags, console }) {
    const meant = text === undefined ? undefined : readResourceArgument(text);
    if (meant && "problem" in meant) throw new InvalidInputError([meant.problem]);
    if (meant && !("address" in meant))
      throw new InvalidInputError([
        {
          code: "argument",
          message: `several kinds of resources can be at ${text}`,
          advice: `name the kind, such as job:${text}`,
        },
      ]);
    const settings = await readSettings(flags, console);
    const { entries, client } = await withSession({ settings, console }, async ({ run, organization }) => {
      const resource = meant && (await findLive(run, organization, meant.address));
      return {
        entries: await readHistory(run.client, organization.id, resource, flags.limit),
        client: run.client,
      };
    });
    if (console.json) console.document(outputOf("history", { entries: entries.map(historyJson) }));
    else console.data(renderHistory(entries, client, console.dataColors, Date.now()));
    return exitCodes.done;
  },
};

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 1000) return limit;
  throw new CommandError("usage", exitCodes.invalid, {
    message: "--limit is not a number from 1 to 1000",
    advice: "write one, such as --limit 50",
  });
}
