import { path } from "../api/path.ts";
import type { Fields } from "../json.ts";
import type { Holding } from "./kind.ts";

const textOf = (entry: Fields, member: string): string | undefined => {
  const value = entry[member];
  return typeof value === "string" ? value : undefined;
};

/** The variables of one scope; those inherited from a scope above are left out, as they stay. */
export function variables(scope: string): Holding {
  return {
    what: "variable",
    path: () => path`/variable`,
    query: (id) => ({ parent_id: id, scope }),
    nameOf: (entry) => (entry["scope"] === scope ? textOf(entry, "key") : undefined),
  };
}

export const customDomains: Holding = {
  what: "custom domain",
  path: (id) => path`/application/${id}/customDomain`,
  nameOf: (entry) => textOf(entry, "domain"),
};
