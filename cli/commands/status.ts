import type { Problem } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addReading, addWho } from "./options.ts";
import { readSettings } from "../support/read-settings.ts";
import { withSession } from "../support/session.ts";
import { chooseServices, readStanding } from "../../core/deployments/index.ts";
import { readPattern } from "../settings/patterns.ts";
import { lastChanges, readHistory } from "../../core/events/index.ts";
import { encodeStatuses } from "../../core/forms/index.ts";
import { renderStatuses } from "../render/statuses.ts";

/** `infrasync status`: shows the statuses of environments and services. */
export const status: Command<[patterns: string[]], SettingFlags & { who?: boolean }> = {
  examples: ["status", "status shop/production", "status 'job:shop/*/migrate' --output json"],

  declare(line) {
    line.argument(
      "[patterns...]",
      "addresses and patterns of environments and services, such as shop/production (default: everything)",
    );
    addWho(line);
    addReading(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [patterns], flags, console }) {
    const problems: Problem[] = [];
    const texts = patterns.length === 0 ? ["environment:**"] : patterns;
    const read = texts.flatMap((text) => readPattern(text, problems));
    const settings = await readSettings(flags, console, { problems });
    const { chosen, client, changes } = await withSession(
      { settings, console },
      async ({ run, organization }) => {
        const choices = await chooseServices(run, organization, read);
        return {
          client: run.client,
          changes: flags.who
            ? lastChanges(await readHistory(run.client, organization.id, undefined, 100))
            : undefined,
          chosen: await Promise.all(choices.map((choice) => readStanding(run, organization, choice))),
        };
      },
    );
    if (console.json)
      console.document({ ok: true, ...encodeStatuses(chosen, client.spent.total, client.budget) });
    else console.data(renderStatuses(chosen, client, console.dataColors, Date.now(), changes));
    return exitCodes.done;
  },
};
