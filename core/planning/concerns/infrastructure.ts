import { formatAddress, nameOf } from "../../model/addresses/address.ts";
import { factsOf, isChange } from "../plan/action-types.ts";
import type { Problem } from "../../problems/problem.ts";
import { bothAddresses, covers } from "./both-addresses.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { nameKey } from "../../model/addresses/names.ts";

/** Resources that cost money or take others down need `infrastructure`, which or `allowReplace` has to name them. */
function infrastructureProblems({ planning: { inventory, policy }, actions }: Whole): Problem[] {
  return actions.flatMap((action): Problem[] => {
    const { address } = action;
    if (!isChange(action)) return [];
    const { infrastructure: allowed, allowReplace } = policy;
    const both = bothAddresses(inventory, action);
    const names = [address, both.liveAddress ?? address].map(nameOf);
    if (!lacksConsent(address.kind, names, allowed)) return [];
    if (allowed && covers(allowReplace, both)) return [];
    return [
      {
        code: "infrastructure",
        message: `${formatAddress(address)} would be ${factsOf(action).past}: ${infrastructureRisk}`,
        remedies: [
          {
            consent: "infrastructure",
            name: nameOf(address),
            ...(both.liveAddress && { also: nameOf(both.liveAddress) }),
          },
        ],
        address: formatAddress(address),
      },
    ];
  });
}

/** Resources that cost money, or that take down the services on them. */
export const infrastructure: Concern = {
  name: "infrastructure",
  programs: true,
  guard: infrastructureProblems,
};

const infrastructureRisk = "that costs money, or takes down what runs on it";

/** Whether a change still needs an approval that names it, both the present and the new one. */
function lacksConsent(
  { isInfrastructure }: Kind,
  names: readonly string[],
  consented: readonly string[] | undefined,
): boolean {
  const known = new Set(consented?.map(nameKey));
  return isInfrastructure === true && !names.every((name) => known.has(nameKey(name)));
}
