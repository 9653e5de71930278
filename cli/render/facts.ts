import type { Client } from "../../core/api/index.ts";
import type { FactSort } from "../../core/show/index.ts";
import { type Fields, isFields, type Json } from "../../core/json.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { requestsOfRun } from "./requests.ts";
import { renderTable } from "./table.ts";
import { inline } from "./values.ts";

const nothing: Readonly<Record<FactSort, string>> = {
  billing: "The organization states no billing information.",
  invoices: "There are no invoices.",
  costs: "The server tells no costs.",
  "cluster-status": "There are no clusters.",
};

/** Facts of the organization: a table of invoices or clusters, or a line for each member of what there is one of. */
export function renderFacts(
  sort: FactSort,
  facts: readonly Fields[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const text = sort === "billing" || sort === "costs" ? lines(facts[0] ?? {}) : table(facts, colors);
  return [text === "" ? nothing[sort] : text, "", requestsOfRun(spent, budget, now)].join("\n");
}

function lines(fact: Fields): string {
  const widest = Math.max(0, ...Object.keys(fact).map(({ length }) => length));
  return Object.entries(fact)
    .map(([member, value]) => `${words(member).padEnd(widest)}  ${shown(value)}`)
    .join("\n");
}

function table(facts: readonly Fields[], colors: Colors): string {
  const members = [...new Set(facts.flatMap((fact) => Object.keys(fact)))];
  const rows = facts.map((fact) => members.map((member) => shown(fact[member])));
  const headings = members.map((member) => words(member).toUpperCase());
  return facts.length === 0 ? "" : renderTable(headings, rows, colors);
}

function words(member: string): string {
  return member.replaceAll("_", " ");
}

function shown(value: Json | undefined): string {
  if (value === undefined) return "-";
  return escapeControl(
    isFields(value) && value["currency_code"] !== undefined
      ? `${String(value["total"])} ${String(value["currency_code"])}`
      : typeof value === "string"
        ? value
        : inline(value),
  );
}
