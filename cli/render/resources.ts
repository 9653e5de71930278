import { formatReference } from "../../core/address.ts";
import type { Client } from "../../core/api/index.ts";
import type { ListedResource, WholeResource } from "../../core/inspect/index.ts";
import { isFields } from "../../core/json.ts";
import { formatManifest } from "../../core/manifest/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { inline } from "./values.ts";
import { requestsOfRun } from "./requests.ts";

const headings = ["KIND", "NAME", "STATE", "CLUSTER", "AGE"] as const;

/** A table of live resources. */
export function renderList(
  resources: readonly ListedResource[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const rows = resources.map(({ address, state, cluster, createdAt }) =>
    [
      address.kind.name,
      formatReference(address.names),
      state ?? "-",
      cluster ?? "-",
      createdAt === undefined ? "-" : age(createdAt, now),
    ].map(escapeControl),
  );
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [colors.bold(line(headings)), ...rows.map(line), "", requestsOfRun(spent, budget, now)].join("\n");
}

/** The time since a date: `40 s`, `12 min`, `5 h`, `3 d`. */
function age(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) return "-";
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** A live resource as a manifest; what a manifest cannot state stands in comments before it. */
export function renderResource(resource: WholeResource): string {
  const facts: [string, unknown][] = [
    ["id", resource.id],
    ["state", resource.state],
    ["deployment_status", resource.deploymentStatus],
    ["deployed_at", resource.deployedAt],
    ["created_at", resource.createdAt],
    ["updated_at", resource.updatedAt],
    ...Object.entries(resource.reports).flatMap(([member, value]): [string, unknown][] =>
      isFields(value)
        ? Object.entries(value).map(([key, inner]) => [`${member}.${key}`, inline(inner)])
        : [[member, value]],
    ),
    ...[...resource.others].map(([member, keys]): [string, unknown] => [member, keys.join(", ")]),
  ];
  const comments = facts.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`# ${name}: ${escapeControl(typeof value === "string" ? value : JSON.stringify(value))}`],
  );
  return [...comments, formatManifest(resource.document).trimEnd()].join("\n");
}
