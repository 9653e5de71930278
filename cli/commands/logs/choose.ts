import { describeAddress, formatAddress } from "../../../core/address.ts";
import { chooseServices, hasLogs, type OrderedService } from "../../../core/deployments/index.ts";
import { kinds } from "../../../core/kinds/index.ts";
import type { Organization } from "../../../core/organization.ts";
import { parsePattern } from "../../../core/pattern.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import type { Run } from "../../../core/operations/index.ts";

/** The one service of an address whose log lines the API has. @throws InvalidInputError */
export async function chooseLogged(
  run: Run,
  organization: Organization,
  text: string,
): Promise<OrderedService> {
  const choices = await chooseServices(run, organization, [parsePattern(text)]);
  const services = choices.flatMap(({ services: chosen, isWhole }) => (isWhole ? [] : chosen));
  const [first, second] = services;
  if (!first || second)
    throw new InvalidInputError([
      {
        code: "argument",
        message: `"${text}" matches ${first ? `${services.length} services` : "an environment"}, but log lines are shown of one service only`,
        advice: first
          ? `name one of them, such as ${formatAddress(first.address)}`
          : "name a service, such as application:shop/production/api",
      },
    ]);
  const service = { address: first.address, id: first.live.id };
  if (hasLogs(service)) return service;
  const logged = kinds.filter(({ deployment }) => deployment?.logPath !== undefined).map(({ name }) => name);
  throw new InvalidInputError([
    {
      code: "impossible",
      message: `the API has no log lines of ${describeAddress(first.address)}, only of these kinds: ${logged.join(", ")}`,
      advice: "look at them in the web console",
    },
  ]);
}
