import { Option } from "commander";
import { CommandError } from "../command-error.ts";
import { exitCodes, interruptionCode } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

interface Flags extends SettingFlags {
  tail?: number;
  follow?: boolean;
}

const defaultTail = 100;
const mostLines = 10_000;

/** `infrasync logs`: shows the last lines that a service has written. */
export const logs: Command<[address: string], Flags> = {
  name: "logs",
  description: "Show the last log lines of a service.",
  examples: ["logs application:shop/production/api", "logs shop/production/api --tail 20 --follow"],

  declare(line) {
    line
      .argument("<address>", "service, such as application:shop/production/api")
      .addOption(
        new Option("--tail <number>", `how many lines (default: ${defaultTail})`).argParser(readTail),
      )
      .option("-f, --follow", "keep showing new lines until Ctrl-C; each check costs one request");
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [address], flags, console }) {
    const { chooseLogged } = await import("./logs/choose.ts");
    const { readSettings } = await import("../support/read-settings.ts");
    const { openSession } = await import("../support/session.ts");
    const { followLogs, readLogs } = await import("../../core/deployments/index.ts");
    const { renderLogLine } = await import("../render/deployments.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    if (flags.follow && console.json)
      throw new CommandError("usage", exitCodes.invalid, {
        message: "--follow prints lines as they arrive, but --output json prints one document at the end",
        advice: "leave one of them out",
      });
    const settings = await readSettings(flags, console);
    return withStatus(console, async (status) => {
      status.reading();
      const { run, organization } = await openSession(settings, console, status);
      const service = await chooseLogged(run, organization, address);
      const tail = flags.tail ?? defaultTail;
      if (!flags.follow) {
        const lines = await readLogs(run.client, service, tail);
        status.pause();
        if (console.json) {
          const { encodeLogs } = await import("../../core/forms/index.ts");
          console.document({ ok: true, ...encodeLogs(service.address, lines) });
        } else for (const line of lines) console.data(renderLogLine(line));
        return exitCodes.done;
      }
      status.pause();
      await followLogs(run, service, tail, (line) => console.data(renderLogLine(line)));
      return interruptionCode(console.io.signal);
    });
  },
};

function readTail(given: string): number {
  const tail = /^\d+$/.test(given) ? Number(given) : 0;
  if (tail >= 1 && tail <= mostLines) return tail;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `--tail cannot be "${given}"`,
    advice: `write a whole number from 1 to ${mostLines}`,
  });
}
