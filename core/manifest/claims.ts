import { describeAddress, formatAddress } from "../address.ts";
import { isFields, own } from "../json.ts";
import { statedParts } from "../parts/index.ts";
import type { Problem } from "../problem.ts";
import type { Desired } from "./desired.ts";

/** Finds keys that belong to one resource only and that two documents state: a domain leads to one service. */
export function claimProblems(resources: readonly Desired[]): Problem[] {
  const claims = new Map<string, Desired>();
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
