import { type Address, describeAddress, formatAddress } from "../address.ts";
import { type Fields, isFields, own } from "../json.ts";
import { statedParts } from "../parts/index.ts";
import type { Position, Problem } from "../problem.ts";

/** A resource that a document describes. */
interface Described {
  address: Address;
  stated: Fields;
  /** Where a member of its document stands. */
  position(path: readonly string[]): Position;
}

/** Finds keys that belong to one resource only and that two documents state: a domain leads to one service. */
export function claimProblems(resources: readonly Described[]): Problem[] {
  const claims = new Map<string, Described>();
  return resources.flatMap((resource) => {
    const { address, stated } = resource;
    const unique = statedParts(address.kind).filter(({ form }) => form.isUnique);
    return unique.flatMap(({ name, member }) => {
      const entries = own(stated, member);
      const keys = isFields(entries) ? Object.keys(entries).filter((key) => entries[key] !== null) : [];
      return keys.flatMap((key): Problem[] => {
        const claim = `${name} ${key}`;
        const first = claims.get(claim);
        if (!first) {
          claims.set(claim, resource);
          return [];
        }
        const { file, line, column } = first.position([member, key]);
        return [
          {
            code: "duplicate",
            message: `the ${claim} is stated twice: for ${describeAddress(address)}, and at ${file}:${line}:${column} for ${describeAddress(first.address)}`,
            advice: "take it out of one of the two documents",
            position: resource.position([member, key]),
            address: formatAddress(address),
          },
        ];
      });
    });
  });
}
