import type { Problem } from "../../core/problems/problem.ts";
import type { SourceFlags } from "../flags.ts";
import type { Command } from "./command.ts";
import { readNamedEnvironments } from "../manifests/named-environments.ts";
import { readSettings } from "../session/read-settings.ts";
import { withSession } from "../session/session.ts";
import { refuseWatchOfJson, showLive, type WatchFlags } from "./status/watch.ts";
import {
  withDeclaredVersions,
  chooseServices,
  type EnvironmentDeploymentStatus,
  readDeploymentStatuses,
  withShortNames,
} from "../../core/deployments/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { whyNotRunning } from "../../core/state/live/index.ts";
import { formatAddress } from "../../core/model/addresses/address.ts";
import type { Json } from "../../core/values/json.ts";
import { readPattern } from "../../core/manifests/settings/patterns.ts";
import { lastChanges, readHistory } from "../../core/state/events/index.ts";
import { encodeStatuses } from "../../core/outputs/forms/index.ts";
import { noteUnread, renderStatuses } from "../render/statuses.ts";

/** `infrasync status`: shows the statuses of environments and services. */
export const status: Command<
  [patterns: string[]],
  SourceFlags & WatchFlags & { who?: boolean; exitCode?: boolean }
> = {
  async run({ args: [patterns], flags, console }) {
    refuseWatchOfJson(flags, console);
    const problems: Problem[] = [];
    const {
      patterns: texts,
      versions,
      suggesting,
    } = await readNamedEnvironments(
      patterns.length === 0 ? ["environment:**"] : patterns,
      flags,
      console.io,
      problems,
    );
    const read = texts.flatMap((text) => readPattern(text, problems));
    const settings = await readSettings(flags, console, { problems });
    return suggesting(() =>
      withSession({ settings, console }, ({ run, organization }, line) =>
        showLive(
          {
            async refresh(given) {
              const chosenBy = await withShortNames(given, organization, read, "environments");
              const choices = await chooseServices(given, organization, chosenBy, (environment) => {
                // Beside the list of its services; a failure is reported where the statuses are used.
                given.live.statusesOf(given.client, environment).catch(() => undefined);
              });
              const [events, { statuses, unread }] = await Promise.all([
                flags.who ? readHistory(run.client, organization.id, undefined, 100) : [],
                // The addresses are read once, also while it watches.
                readDeploymentStatuses(given, organization.id, choices, { addresses: run.live }),
              ]);
              const chosen = statuses.map((each) => withDeclaredVersions(each, versions));
              return { chosen, unread, changes: lastChanges(events) };
            },
            show({ chosen, unread, changes }) {
              if (console.json) console.document(encodeStatuses(chosen, run.client));
              else {
                console.data(renderStatuses(chosen, run.client, console.dataColors, Date.now(), changes));
                noteUnread(unread, console);
              }
            },
            states: ({ chosen }) => statesIn(chosen),
            exitCode: ({ chosen }) =>
              flags.exitCode && chosen.some(isAmiss) ? exitCodes.changes : exitCodes.done,
          },
          flags,
          run,
          line,
          console,
        ),
      ),
    );
  },
};

/** Whether a running service differs from its configuration, or from the manifests. */
function isAmiss({ services }: EnvironmentDeploymentStatus): boolean {
  return services.some(
    ({ status: its, declared, changes }) =>
      declared !== undefined || changes.length > 0 || (its && whyNotRunning(its)) !== undefined,
  );
}

/** The members of states whose change shows them again. */
function statesIn(chosen: readonly EnvironmentDeploymentStatus[]): Json {
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
