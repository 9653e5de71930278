import type { ServerBehaviour } from "../api/index.ts";
import type { Problem } from "../problem.ts";
import type { PlacedValue } from "../source/environments.ts";
import { readSection } from "./read-section.ts";

/** Reads the description of a server; with a mistake, none of its members applies. */
export function readServer(member: Pick<PlacedValue, "value" | "positionOf">): {
  server: ServerBehaviour;
  problems: Problem[];
} {
  const { value, problems } = readSection("server", member);
  if (problems) return { server: {}, problems };
  const {
    list_delay_ms: listDelay = 0,
    duplicate_names: hasDuplicates = false,
    free_names_during_clone: hasFreeNames = false,
    forbidden_for_missing: forbidsMissing = false,
  } = value;
  return { server: { listDelay, hasFreeNames: hasDuplicates || hasFreeNames, forbidsMissing }, problems: [] };
}
