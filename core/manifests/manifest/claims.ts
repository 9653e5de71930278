import { type Address, describeAddress, formatAddress } from "../../model/addresses/address.ts";
import { claimsIn } from "../../rules/claims.ts";
import type { Fields } from "../../values/json.ts";
import type { Position, Problem } from "../../problems/problem.ts";

/** A resource that a document describes. */
interface Claimant {
  address: Address;
  stated: Fields;
  /** Where a member of its document stands. */
  position(path: readonly string[]): Position;
}

/** Finds keys that belong to one resource only and that two documents state: a domain leads to one service. */
export function claimProblems(resources: readonly Claimant[]): Problem[] {
  const claims = new Map<string, Claimant>();
  return resources.flatMap((resource) => {
    const { address, stated } = resource;
    return claimsIn(address.kind, stated).flatMap(({ path, claim }): Problem[] => {
      const first = claims.get(claim);
      if (!first) {
        claims.set(claim, resource);
        return [];
      }
      const { file, line, column } = first.position(path);
      return [
        {
          code: "duplicate",
          message: `the ${claim} is declared twice: for ${describeAddress(address)}, and at ${file}:${line}:${column} for ${describeAddress(first.address)}`,
          advice: "remove it from one of the two documents",
          position: resource.position(path),
          address: formatAddress(address),
        },
      ];
    });
  });
}
