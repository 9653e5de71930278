import { type Address, describeAddress, formatAddress } from "../address.ts";
import type { Pattern } from "../pattern.ts";
import { wordsFor } from "../loss.ts";
import { InvalidInputError, type Problem } from "../problem.ts";
import type { DeploymentOrder } from "./order.ts";

/**
 * Refuses to stop what is protected, and to write another version over the one that it has, unless it is named by its
 * address: a wildcard is not a consent, and neither is the name of the environment that contains it.
 *
 * @param patterns with which the services were chosen
 * @param protect the patterns that protect resources
 * @throws InvalidInputError
 */
export function refuseProtected(
  orders: readonly DeploymentOrder[],
  patterns: readonly Pattern[],
  protect: readonly Pattern[],
): void {
  const problems = orders
    .flatMap((order) => tollOf(order))
    .flatMap(({ address, ...toll }) => {
      const protection = protect.find((pattern) => pattern.matches(address));
      const isNamed = patterns.some((pattern) => !pattern.text.includes("*") && pattern.matches(address));
      return !protection || isNamed ? [] : problemOf(address, toll, protection);
    });
  if (problems.length > 0) throw new InvalidInputError(problems, "consent");
}

/** The effect of an order that the protection of a resource forbids. */
interface Toll {
  address: Address;
  /** `cannot be stopped` */
  what: string;
  /** `to stop it` */
  wish: string;
}

function tollOf({ action, environment, isWhole, services }: DeploymentOrder): Toll[] {
  if (action === "stop")
    return [...(isWhole ? [environment] : []), ...services].map(({ address }) => ({
      address,
      what: "cannot be stopped",
      wish: "to stop it",
    }));
  return services.flatMap(({ address, losses = [] }) =>
    losses.map((loss) => ({ address, what: `cannot lose ${wordsFor(loss)}`, wish: "to deploy it" })),
  );
}

function problemOf(address: Address, { what, wish }: Omit<Toll, "address">, { text }: Pattern): Problem {
  return {
    code: "protected",
    message: `${describeAddress(address)} ${what}: it is protected by the pattern "${text}"`,
    advice: `${wish} all the same, name it: ${formatAddress(address)}`,
    remedies: [{ setting: "protect", value: text }],
    address: formatAddress(address),
  };
}
