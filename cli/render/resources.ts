import { formatReference } from "../../core/model/addresses/address.ts";
import type { Client } from "../../core/api/index.ts";
import {
  type ListedEntry,
  type ListedResource,
  shortVersion,
  type WholeResource,
} from "../../core/outputs/show/index.ts";
import { type Fields, isFields, type Json } from "../../core/values/json.ts";
import { formatManifest } from "../../core/manifests/manifest/index.ts";
import { catalogues } from "../../core/model/schema/catalogues.ts";
import { escapeControl, span } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { renderTable } from "./width.ts";
import { inline } from "./values.ts";
import { requestsOfRun } from "./requests.ts";

/** A table that a run shows, and the sentence in its place where it has no rows. */
export interface PrintedList {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
  nothing?: string;
}

/** A listing, and the requests of the run. */
export function renderListing(
  { headings, rows, nothing }: PrintedList,
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
): string {
  const escaped = (cells: readonly string[]) => cells.map(escapeControl);
  const table = renderTable(escaped(headings), rows.map(escaped), colors);
  return [rows.length === 0 ? (nothing ?? table) : table, "", requestsOfRun(spent, budget, Date.now())].join(
    "\n",
  );
}

export function listingOfResources(resources: readonly ListedResource[], now: number): PrintedList {
  const hasUrls = resources.some(({ urls = [] }) => urls.length > 0);
  return {
    headings: ["KIND", "NAME", "STATE", "VERSION", "CLUSTER", "AGE", ...(hasUrls ? ["URL"] : [])],
    rows: resources.map(({ address, state, version, cluster, createdAt, urls }) => [
      address.kind.name,
      formatReference(address.names),
      state ?? "-",
      version === undefined ? "-" : shortVersion(version),
      cluster ?? "-",
      createdAt === undefined ? "-" : age(createdAt, now),
      ...(hasUrls ? [shortUrls(urls) || "-"] : []),
    ]),
  };
}

/** Clusters, registries and the like. */
export function listingOfEntries(entries: readonly ListedEntry[]): PrintedList {
  const members = [...new Set(entries.flatMap(({ details }) => Object.keys(details)))];
  const isMixed = new Set(entries.map(({ catalogue }) => catalogue)).size > 1;
  return {
    headings: [...(isMixed ? ["WHAT"] : []), "NAME", ...members.map(headingOf), "ID"],
    rows: entries.map(({ catalogue, name, details, id }) => [
      ...(isMixed ? [catalogues[catalogue].one] : []),
      name,
      ...members.map((member) => details[member] ?? "-"),
      id,
    ]),
    nothing: "The list is empty.",
  };
}

export function listingOfClusters(clusters: readonly Fields[]): PrintedList {
  const members = [...new Set(clusters.flatMap((cluster) => Object.keys(cluster)))];
  const shown = (value: Json = "-") => (typeof value === "string" ? value : inline(value));
  return {
    headings: members.map(headingOf),
    rows: clusters.map((cluster) => members.map((member) => shown(cluster[member]))),
    nothing: "There are no clusters.",
  };
}

function headingOf(member: string): string {
  return member.replaceAll("_", " ").toUpperCase();
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
