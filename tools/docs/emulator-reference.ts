// The tables of docs/reference/emulator.md: served and unserved operations.
import { capitalized } from "../../core/values/text.ts";
import { scopesFor } from "../../emulator/http/access.ts";
import { routes } from "../../emulator/routes.ts";
import { unserved } from "../../emulator/unserved-operations.ts";
import type { Route } from "../../emulator/http/routing.ts";
import { table } from "./section.ts";

/** One row for each operation, grouped by the first part of the path. */
export function operationsTable(): string {
  const paths = new Set(routes.map((route) => route.path));
  const families = Map.groupBy(routes, ({ path: route }) => `/${route.split("/")[1] ?? ""}`);
  const tables = [...families].map(
    ([family, members]) => `### ${family}\n\n${table(["Operation", "Success", "Scope"], members.map(row))}`,
  );
  return [`${routes.length} operations on ${paths.size} paths.`, ...tables].join("\n\n");
}

/** The operations that are answered with 501, by the reason. */
export function unservedTable(): string {
  const reasons = Map.groupBy(unserved, ({ because }) => because);
  const tables = [...reasons].map(([because, operations]) => {
    const rows = operations.map(({ method, path, name }) => [`\`${method} ${path}\``, `\`${name}\``]);
    return `${capitalized(because)}:\n\n${table(["Operation", "Name"], rows)}`;
  });
  return [`${unserved.length} operations.`, ...tables].join("\n\n");
}

function row({ method, path: route, status }: Route): string[] {
  const scopes = scopesFor(method, route);
  const scope = scopes.length === 4 ? "any" : scopes.join(" or ");
  return [`\`${method} ${route}\``, String(status), scope];
}
