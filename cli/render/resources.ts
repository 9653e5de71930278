import { formatReference } from "../../core/model/addresses/address.ts";
import type { Client } from "../../core/api/index.ts";
import {
  type ListedEntry,
  type ListedResource,
  shortVersion,
  type WholeResource,
} from "../../core/outputs/show/index.ts";
import { isFields } from "../../core/values/json.ts";
import { formatManifest } from "../../core/manifests/manifest/index.ts";
import { catalogues } from "../../core/model/schema/catalogues.ts";
import { escapeControl, span } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { renderTable } from "./width.ts";
import { inline } from "./values.ts";
import { requestsOfRun } from "./requests.ts";

const headings = ["KIND", "NAME", "STATE", "VERSION", "CLUSTER", "AGE"] as const;

export function renderList(
  resources: readonly ListedResource[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const hasUrls = resources.some(({ urls = [] }) => urls.length > 0);
  const rows = resources.map(({ address, state, version, cluster, createdAt, urls }) =>
    [
      address.kind.name,
      formatReference(address.names),
      state ?? "-",
      version === undefined ? "-" : shortVersion(version),
      cluster ?? "-",
      createdAt === undefined ? "-" : age(createdAt, now),
      ...(hasUrls ? [shortUrls(urls) || "-"] : []),
    ].map(escapeControl),
  );
  return [
    renderTable([...headings, ...(hasUrls ? ["URL"] : [])], rows, colors),
    "",
    requestsOfRun(spent, budget, now),
  ].join("\n");
}

/** A table of clusters, registries and the like. */
export function renderEntries(
  entries: readonly ListedEntry[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const members = [...new Set(entries.flatMap(({ details }) => Object.keys(details)))];
  const isMixed = new Set(entries.map(({ catalogue }) => catalogue)).size > 1;
  const rows = entries.map(({ catalogue, name, details, id }) =>
    [
      ...(isMixed ? [catalogues[catalogue].one] : []),
      name,
      ...members.map((member) => details[member] ?? "-"),
      id,
    ].map(escapeControl),
  );
  const heads = [...(isMixed ? ["WHAT"] : []), "NAME", ...members.map(headingOf), "ID"];
  const table = entries.length === 0 ? "The list is empty." : renderTable(heads, rows, colors);
  return [table, "", requestsOfRun(spent, budget, now)].join("\n");
}

function headingOf(member: string): string {
  return escapeControl(member.replaceAll("_", " ").toUpperCase());
}

/** One URL, and how many more there are; undefined: not read. */
export function shortUrls([first = "", ...others]: readonly string[] = []): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}

/** The time since a date: `40 s`, `12 min`, `5 h`, `3 days`. */
export function age(since: string, now: number): string {
  const milliseconds = Math.max(0, now - Date.parse(since));
  return Number.isNaN(milliseconds) ? "-" : span(milliseconds);
}

/** A live resource as a manifest; what a manifest cannot state stands in comments before it. */
export function renderResource(resource: WholeResource): string {
  const facts: [string, unknown][] = [
    ["id", resource.id],
    ["state", resource.state],
    ["deployment_status", resource.deploymentStatus],
    ["deployed_at", resource.deployedAt],
    ...(resource.urls ?? []).map((url): [string, unknown] => ["url", url]),
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
