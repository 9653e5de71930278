import { encodeClusterStatus } from "../../core/forms/index.ts";
import { readClusterStatus } from "../../core/show/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { withStatus } from "../progress/with-status.ts";
import { renderClusterStatus } from "../render/cluster-status.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import { readSettings } from "./read-settings.ts";
import { openSession } from "./session.ts";

/** Shows the status of each cluster of the organization. Returns the exit code. */
export async function showClusterStatus(flags: SettingFlags, console: Console): Promise<number> {
  const settings = await readSettings(flags, console);
  const { clusters, client } = await withStatus(console, async (line) => {
    line.working("reading the organization");
    const { run, organization } = await openSession(settings, console, line);
    return {
      client: run.client,
      clusters: await readClusterStatus(run.client, organization),
    };
  });
  if (console.json)
    console.document({ ok: true, ...encodeClusterStatus(clusters, client.spent.total, client.budget) });
  else console.data(renderClusterStatus(clusters, client, console.dataColors, Date.now()));
  return exitCodes.done;
}
