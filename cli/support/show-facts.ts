import { encodeFacts } from "../../core/forms/index.ts";
import { type FactSort, readClusterCosts, readFacts } from "../../core/show/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { withStatus } from "../progress/with-status.ts";
import { renderFacts } from "../render/facts.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import { readSettings } from "./read-settings.ts";
import { openSession } from "./session.ts";

/**
 * Shows what the API tells about the organization and no manifest states. Returns the exit code.
 *
 * @param cluster with `costs`: the cluster whose costs are shown, by name or id
 */
export async function showFacts(
  sort: FactSort,
  flags: SettingFlags,
  console: Console,
  cluster?: string,
): Promise<number> {
  const settings = await readSettings(flags, console);
  const { facts, client } = await withStatus(console, async (line) => {
    line.working("reading the organization");
    const { operations, organization } = await openSession(settings, console, line);
    return {
      client: operations.client,
      facts:
        cluster === undefined
          ? await readFacts(operations.client, organization, sort)
          : [await readClusterCosts(operations.client, organization, cluster.replace(/^cluster:/i, ""))],
    };
  });
  if (console.json)
    console.document({ ok: true, ...encodeFacts(sort, facts, client.spent.total, client.budget) });
  else console.data(renderFacts(sort, facts, client, console.dataColors, Date.now()));
  return exitCodes.done;
}
