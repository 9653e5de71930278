import { type Address, describeAddress, formatAddress } from "../../model/addresses/address.ts";
import { claimsIn } from "../../rules/claims.ts";
import type { Fields } from "../../values/json.ts";
import type { Position, Problem } from "../../problems/problem.ts";

interface Claimant {
  address: Address;
  declared: Fields;
  position(path: readonly string[]): Position;
}

/** Finds keys of one resource only that two documents declare: a domain leads to one service. */
export function claimProblems(resources: readonly Claimant[]): Problem[] {
  const claims = new Map<string, Claimant>();
  return resources.flatMap((resource) => {
    const { address, declared } = resource;
    return claimsIn(address.kind, declared).flatMap(({ path, claim }): Problem[] => {
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
