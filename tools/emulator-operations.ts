/**
 * Writes the table of the operations that the emulator serves into docs/emulator.md, from its routes; with --check, fails instead when the
 * table is stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scopesFor } from "../emulator/http/access.ts";
import { routes } from "../emulator/routes.ts";
import type { Route } from "../emulator/http/routing.ts";

const file = path.join(import.meta.dirname, "..", "docs", "emulator.md");
const begin = "<!-- operations: written by tools/emulator-operations.ts -->";
const end = "<!-- end of operations -->";

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

/** The document with the new table in place of the old one. */
function withTable(text: string): string {
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} lacks ${begin} or ${end}`);
  return `${before}${begin}\n\n${operationsTable()}\n\n${end}${after}`;
}

if (import.meta.main) {
  const text = readFileSync(file, "utf8");
  const wanted = withTable(text);
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (text !== wanted) {
    console.error("docs/emulator.md: the table of operations is stale; run: npm run generate");
    process.exitCode = 1;
  }
}
