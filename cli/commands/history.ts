import { counted } from "../render/text.ts";
import { readHistory } from "../../core/state/events/index.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { findLive } from "../../core/import/live/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { historyJson, listingOfEvents } from "../render/history.ts";
import { renderListing } from "../render/resources.ts";
import type { SettingFlags } from "../settings/names.ts";
import { readSettings } from "../session/read-settings.ts";
import { chooseOne } from "./get/one-resource.ts";
import { withSession } from "../session/session.ts";
import type { Command } from "./command.ts";

/** `infrasync history`: shows who did what, and when. */
export const history: Command<[address: string | undefined], SettingFlags & { limit: number }> = {
  parsers: { "--limit": readLimit },

  async run({ args: [text], flags, console }) {
    const chosen = text === undefined ? undefined : await chooseOne(text, flags, console.io);
    const settings = await readSettings(flags, console, { problems: chosen?.problems ?? [] });
    const read = () =>
      withSession({ settings, console }, async ({ run, organization }) => {
        const address = await chosen?.find(run, organization);
        const resource = address && (await findLive(run, organization, address));
        return {
          entries: await readHistory(run.client, organization.id, resource, flags.limit),
          client: run.client,
        };
      });
    const { entries, client } = await (chosen?.suggesting(read) ?? read());
    if (console.json) console.document(outputOf("history", { entries: entries.map(historyJson) }));
    else console.data(renderListing(listingOfEvents(entries, Date.now()), client, console.dataColors));
    if (!console.json && entries.length === flags.limit)
      console.note(`The newest ${counted(flags.limit, "entry")}; --limit shows more.`);
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
