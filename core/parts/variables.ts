import { path } from "../api/path.ts";
import { textIn } from "../json.ts";
import type { Part } from "./part.ts";

/** The variables of one scope; those inherited from a scope above are left out, as they stay. */
export function variables(scope: string): Part {
  return {
    name: "variable",
    member: "variables",
    listing: (id) => ({ path: path`/variable`, query: { parent_id: id, scope } }),
    keyOf: (entry) => (entry["scope"] === scope ? textIn(entry, "key") : undefined),
    isReadable: (entry) => entry["is_secret"] !== true,
  };
}
