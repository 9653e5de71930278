import { resolve } from "node:path";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import type { AccessFile } from "../../../reconciler/index.ts";
import { SettingsReader } from "../../settings/index.ts";
import { readDatabase } from "../../repository/database.ts";
import { readPlace } from "../../repository/repository.ts";
import { missingAnswer } from "../../terminal/ask.ts";
import type { Console } from "../../terminal/console.ts";
import { type PagePlace, readWebhookPlace, type WebhookFlags } from "../page.ts";
import type { FleetFlags } from "./open-member.ts";
import type { DeclaredSourcesPlace } from "./place.ts";
import { runFleet } from "./serve-fleet.ts";

interface FleetRunFlags {
  sources: DeclaredSourcesPlace;
  flags: FleetFlags & WebhookFlags & { database?: string };
  page: PagePlace | undefined;
  access: AccessFile | undefined;
  problems: Problem[];
  console: Console;
}

/** Serves many sources. @throws InvalidInputError with all mistakes of flags and variables */
export async function serveSources(called: FleetRunFlags): Promise<number> {
  const { sources, flags, page, access, problems, console } = called;
  const { place, files } = sources;
  const { env } = console.io;
  const webhook = readWebhookPlace(flags, problems);
  const database = await readDatabase(flags, console, problems);
  for (const [flag, given] of [
    ["--allow-commands", flags.allowCommands],
    ["--secrets-out", flags.secretsOut],
  ] as const)
    if (given)
      problems.push({
        code: "argument",
        message: `${flag} and --sources exclude each other: every source could use this permission`,
        advice: "run a service of its own for the source that needs it",
      });
  // Common settings are the interval and the shares of the quota; each source has its own repository.
  const common = readPlace({ ...flags, repo: "https://example.com" }, console.io, problems);
  const reader = await SettingsReader.open(flags, { orders: [] }, console, "a reconciler runs unattended");
  const { logLevel } = reader.declared();
  const all = [...reader.problems, ...problems, ...missingAnswer("reconcile", undefined, flags, [], console)];
  if (all.length > 0 || !place || !common) throw new InvalidInputError(all);
  const data = flags.data ?? (env["INFRASYNC_DATA"] || undefined);
  return runFleet({
    flags,
    place,
    files,
    interval: common.interval,
    data: data === undefined ? undefined : resolve(data),
    allowLocal: flags.allowLocalRepo === true,
    page,
    access,
    webhook,
    database,
    logLevel,
    console,
  });
}
