import type { Client } from "../../core/api/index.ts";
import type { Fields } from "../../core/json.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { requestsOfRun } from "./requests.ts";
import { renderTable } from "./table.ts";
import { inline } from "./values.ts";

/** A table of clusters and their status. */
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
