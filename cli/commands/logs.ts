import { counted } from "../render/text.ts";
import { CommandError, exitCodes, interruptionCode } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import {
  followLogs,
  readLogs,
  chooseServices,
  withShortNames,
  hasLogs,
  mostLogLines,
  type OrderedService,
} from "../../core/deployments/index.ts";
import { renderLogLine } from "../render/deployments.ts";
import { encodeLogs } from "../../core/outputs/forms/index.ts";
import { describeAddress, formatAddress } from "../../core/model/addresses/address.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import type { Pattern } from "../../core/model/addresses/pattern.ts";
import { refusal, type Problem } from "../../core/problems/problem.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { liveAddress } from "../manifests/named-environments.ts";
import type { Run } from "../../core/operations/index.ts";

const defaultTail = 100;

/** `infrasync logs`: shows the last log lines of a service. */
export const logs: Command<[address: string], SettingFlags & { tail?: number; follow?: boolean }> = {
  parsers: { "--tail": readTail },

  async run({ args: [address], flags, console }) {
    if (flags.follow && console.json)
      throw new CommandError("usage", exitCodes.invalid, {
        message: "--follow prints lines as they arrive, but --output json prints one document at the end",
        advice: "leave one of them out",
      });
    const problems: Problem[] = [];
    const named = await liveAddress(address, flags, console.io, problems);
    const pattern = readPattern(named.address, problems);
    const settings = await readSettings(flags, console, { problems });
    return withSession({ settings, console }, async ({ run, organization }, status) => {
      const service = await named.suggesting(() => chooseLogged(run, organization, named.address, pattern));
      const tail = flags.tail ?? defaultTail;
      if (!flags.follow) {
        const lines = await readLogs(run.client, service, tail);
        status.pause();
        if (console.json) console.document(encodeLogs(service.address, lines));
        else if (lines.length === 0) console.note(`${describeAddress(service.address)} has no log lines`);
        else for (const line of lines) console.data(renderLogLine(line));
        if (!console.json && lines.length === tail)
          console.note(`The last ${counted(tail, "line")}; --tail shows more.`);
        return exitCodes.done;
      }
      status.pause();
      await followLogs(run, service, tail, {
        onLine: (line) => console.data(renderLogLine(line)),
        onGap: () =>
          console.note(
            "Lines may be missing here: the service wrote more lines than the API returns at once.",
          ),
      });
      return interruptionCode(console.io.signal);
    });
  },
};

function readTail(given: string): number {
  const tail = /^\d+$/.test(given) ? Number(given) : 0;
  if (tail >= 1 && tail <= mostLogLines) return tail;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `--tail cannot be "${given}"`,
    advice: `write a whole number from 1 to ${mostLogLines}`,
  });
}

/** The one service of an address whose log lines the API has. @throws InvalidInputError */
async function chooseLogged(
  run: Run,
  organization: Organization,
  text: string,
  pattern: readonly Pattern[],
): Promise<OrderedService> {
  const choices = await chooseServices(
    run,
    organization,
    await withShortNames(run, organization, pattern, "environments"),
  );
  const services = choices.flatMap(({ services: chosen, isWhole }) => (isWhole ? [] : chosen));
  const [first, second] = services;
  if (!first || second)
    throw refusal(
      "argument",
      `"${text}" matches ${first ? `${services.length} services` : "an environment"}, but log lines are shown of one service only`,
      first
        ? `name one of them, such as ${formatAddress(first.address)}`
        : "name a service, such as application:shop/production/api",
    );
  const service = { address: first.address, id: first.live.id };
  if (hasLogs(service)) return service;
  const logged = kinds.filter(({ deployment }) => deployment?.logPath !== undefined).map(({ name }) => name);
  throw refusal(
    "impossible",
    `the API has no log lines of ${describeAddress(first.address)}, only of these kinds: ${logged.join(", ")}`,
    "look at them in the web console",
  );
}
