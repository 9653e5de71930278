import type { Problem } from "../../core/problem.ts";
import { CommandError, exitCodes, interruptionCode } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addReading, addWho } from "./options.ts";
import { readSettings } from "../support/read-settings.ts";
import { withSession } from "../support/session.ts";
import {
  chooseServices,
  type DeploymentStanding,
  pauseBefore,
  readStanding,
} from "../../core/deployments/index.ts";
import { formatAddress } from "../../core/address.ts";
import { type Json, stableJson } from "../../core/json.ts";
import { LiveStore } from "../../core/live/index.ts";
import { readPattern } from "../settings/patterns.ts";
import { lastChanges, readHistory } from "../../core/events/index.ts";
import { encodeStatuses } from "../../core/forms/index.ts";
import { renderStatuses } from "../render/statuses.ts";

interface Flags extends SettingFlags {
  who?: boolean;
  watch?: boolean;
}

/** `infrasync status`: shows the statuses of environments and services. */
export const status: Command<[patterns: string[]], Flags> = {
  examples: [
    "status",
    "status shop/staging --watch",
    "status shop/production",
    "status 'job:shop/*/migrate' --output json",
  ],

  declare(line) {
    line.argument(
      "[patterns...]",
      "addresses and patterns of environments and services, such as shop/production (default: everything)",
    );
    line.option(
      "-w, --watch",
      "show it again whenever it has changed, until Ctrl-C; each look costs the requests of the command",
    );
    addWho(line);
    addReading(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [patterns], flags, console }) {
    if (flags.watch && console.json)
      throw new CommandError("usage", exitCodes.invalid, {
        message: "--watch shows the status again and again, but --output json prints one document",
        advice: "leave one of them out",
      });
    const problems: Problem[] = [];
    const texts = patterns.length === 0 ? ["environment:**"] : patterns;
    const read = texts.flatMap((text) => readPattern(text, problems));
    const settings = await readSettings(flags, console, { problems });
    return withSession({ settings, console }, async ({ run, organization }, line) => {
      const look = async (live: LiveStore) => {
        const choices = await chooseServices({ ...run, live }, organization, read);
        const chosen = await Promise.all(
          choices.map((choice) => readStanding({ ...run, live }, organization, choice)),
        );
        const events = flags.who ? await readHistory(run.client, organization.id, undefined, 100) : [];
        return { chosen, changes: lastChanges(events) };
      };
      const show = ({ chosen, changes }: Awaited<ReturnType<typeof look>>) =>
        console.data(renderStatuses(chosen, run.client, console.dataColors, Date.now(), changes));
      const first = await look(run.live);
      if (console.json) {
        const { total } = run.client.spent;
        console.document({ ok: true, ...encodeStatuses(first.chosen, total, run.client.budget) });
        return exitCodes.done;
      }
      line.pause();
      show(first);
      if (!flags.watch) return exitCodes.done;
      let shown = stableJson(statesIn(first.chosen));
      for (let quiet = 0; ; quiet += 1) {
        await run.clock.sleep(pauseBefore(quiet, 1, run.client.budget, run.clock.now()), run.signal);
        if (run.signal?.aborted) return interruptionCode(console.io.signal);
        const next = await look(new LiveStore());
        const states = stableJson(statesIn(next.chosen));
        if (states === shown) continue;
        shown = states;
        quiet = 0;
        console.data("");
        show(next);
      }
    });
  },
};

/** What of standings makes it worth to show them again. */
function statesIn(chosen: readonly DeploymentStanding[]): Json {
  return chosen.flatMap(({ environment, services }) => [
    [formatAddress(environment.address), environment.state],
    ...services.map(({ address, status: its, version, changes }) => [
      formatAddress(address),
      its?.state ?? null,
      its?.deploymentStatus ?? null,
      its?.deployedAt ?? null,
      version ?? null,
      changes,
    ]),
  ]);
}
