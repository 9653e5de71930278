import type { FactSort } from "../../core/show/index.ts";

/** What can be asked for by a word of the organization as a whole. A project of that name is `project:billing`. */
export const facts = [
  "billing",
  "invoices",
  "costs",
  "cluster-status",
] as const satisfies readonly FactSort[];

/** The fact that a word asks for; undefined for other words. */
export function factOf(word: string): FactSort | undefined {
  return facts.find((fact) => fact === word);
}
