import { formatAddress } from "../address.ts";
import type { Problem } from "../problem.ts";
import type { Note } from "./action.ts";
import type { Policy } from "./policy.ts";

/**
 * The problems of a plan that would leave something alone only because of a protection that its settings lift: the next
 * run would delete it, and nobody would have lifted the protection before.
 */
export function liftedProblems({ lifted = [] }: Policy, notes: readonly Note[]): Problem[] {
  return notes.flatMap(({ code, message, address, remedies = [] }): Problem[] => {
    const isLifted = remedies.some(
      (remedy) => "setting" in remedy && lifted.some(({ text }) => remedy.value === text),
    );
    if (code !== "protected" || !isLifted || !address) return [];
    return [
      {
        code: "protected",
        message: `${formatAddress(address)}: ${message} in the settings that were applied before; nothing that it protected may be deleted in the run that lifts it`,
        advice: "lift the protection in a change of its own, and delete after that one is applied",
        address: formatAddress(address),
        blocks: "apply",
      },
    ];
  });
}
