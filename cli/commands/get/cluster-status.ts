import { encodeClusterStatus } from "../../../core/outputs/forms/index.ts";
import { readClusterStatus } from "../../../core/outputs/show/index.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { SettingFlags } from "../../settings/names.ts";
import type { Console } from "../../terminal/console.ts";
import { readSettings } from "../../session/read-settings.ts";
import { withSession } from "../../session/session.ts";
import type { Client } from "../../../core/api/index.ts";
import type { Fields } from "../../../core/values/json.ts";
import { escapeControl } from "../../../core/values/text.ts";
import type { Colors } from "../../terminal/colors.ts";
import { requestsOfRun } from "../../render/requests.ts";
import { renderTable } from "../../render/width.ts";
import { inline } from "../../render/values.ts";

/** Shows the status of each cluster of the organization. Returns the exit code. */
export async function showClusterStatus(flags: SettingFlags, console: Console): Promise<number> {
  const settings = await readSettings(flags, console);
  const { clusters, client } = await withSession({ settings, console }, async ({ run, organization }) => ({
    client: run.client,
    clusters: await readClusterStatus(run.client, organization),
  }));
  if (console.json) console.document(encodeClusterStatus(clusters, client));
  else console.data(renderClusterStatus(clusters, client, console.dataColors, Date.now()));
  return exitCodes.done;
}

export function renderClusterStatus(
  clusters: readonly Fields[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const members = [...new Set(clusters.flatMap((cluster) => Object.keys(cluster)))];
  const headings = members.map((member) => member.replaceAll("_", " ").toUpperCase());
  const rows = clusters.map((cluster) =>
    members.map((member) => {
      const value = cluster[member];
      return value === undefined ? "-" : escapeControl(typeof value === "string" ? value : inline(value));
    }),
  );
  const table = clusters.length === 0 ? "There are no clusters." : renderTable(headings, rows, colors);
  return [table, "", requestsOfRun(spent, budget, now)].join("\n");
}
