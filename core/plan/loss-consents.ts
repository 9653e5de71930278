import { formatAddress } from "../address.ts";
import type { Problem } from "../problem.ts";
import type { Departure } from "./departures.ts";
import { addressBy, addressesOf, type Identity } from "./inventory.ts";
import { type CausedLoss } from "./caused-losses.ts";
import { needsConsent, wordsFor } from "../loss.ts";
import type { Policy } from "./policy.ts";

// Whoever may delete a resource to create it again, may also take its data without that: one consent serves for both.

type Allowing = Pick<Policy, "allowReplace">;

/** The problem of each update that takes data or secrets which nobody can bring back. */
export function lossProblems({ allowReplace }: Allowing, losses: readonly CausedLoss[]): Problem[] {
  const final = losses.filter(({ loss, action }) => action.type === "update" && needsConsent(loss));
  return [...Map.groupBy(final, ({ action }) => action)].flatMap(([action, its]): Problem[] => {
    if (allowReplace.some((pattern) => pattern.matches(action.address))) return [];
    const address = formatAddress(action.address);
    const what = its.map(({ loss }) => wordsFor(loss)).join(", ");
    return [problemOf(address, `${address} would lose ${what}`)];
  });
}

/** The problem of a resource that is itself data, such as a backup, and that nobody has asked to destroy. */
export function dataProblems(policy: Allowing, { identity, own, cause, names }: Departure): Problem[] {
  const isDestroyed = own?.type === "delete" && own.reason === "destroy";
  if (!isKept(policy, identity) || isDestroyed) return [];
  const address = formatAddress(addressBy(identity, names));
  const along = own ? "" : ` with ${formatAddress(cause.address)}`;
  return [problemOf(address, `${address} would be deleted${along}`)];
}

/** What would go with a resource although it is data and no consent names it: the resource itself, or what it contains. */
export function keptData(policy: Allowing, identity: Identity): Identity[] {
  return [
    ...(isKept(policy, identity) ? [identity] : []),
    ...identity.contents.flatMap((inner) => keptData(policy, inner)),
  ];
}

function isKept({ allowReplace }: Allowing, identity: Identity): boolean {
  return (
    identity.kind?.isData === true &&
    !addressesOf(identity).some((address) => allowReplace.some((pattern) => pattern.matches(address)))
  );
}

function problemOf(address: string, message: string): Problem {
  return {
    code: "loss",
    message: `${message}, and nobody could restore that`,
    advice: "undo the change",
    remedies: [{ consent: "replace", address }],
    address,
  };
}
