/**
 * Writes the table of the operations that the emulator serves into docs/reference/emulator.md, from its routes; with --check, fails instead when the
 * table is stale.
 */
import { scopesFor } from "../../emulator/http/access.ts";
import { routes } from "../../emulator/routes.ts";
import type { Route } from "../../emulator/http/routing.ts";
import { writeSections } from "./section.ts";

/** The table: one row for each operation, grouped by the first part of the path. */
export function operationsTable(): string {
  const paths = new Set(routes.map((route) => route.path));
  const families = Map.groupBy(routes, familyOf);
  const tables = [...families].map(([family, members]) =>
    [`### ${family}`, "", "| Operation | Success | Scope |", "|---|---|---|", ...members.map(row)].join("\n"),
  );
  return [`${routes.length} operations on ${paths.size} paths.`, ...tables].join("\n\n");
}

function familyOf({ path: route }: Route): string {
  return `/${route.split("/")[1] ?? ""}`;
}

function row({ method, path: route, status }: Route): string {
  const scopes = scopesFor(method, route);
  const scope = scopes.length === 4 ? "any" : scopes.join(" or ");
  return `| \`${method} ${route}\` | ${status} | ${scope} |`;
}

if (import.meta.main)
  writeSections([{ page: "reference/emulator.md", name: "operations", text: operationsTable() }]);
