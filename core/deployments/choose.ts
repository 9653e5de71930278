import { type Address, childAddress, formatAddress, formatReference } from "../address.ts";
import type { Client } from "../api/index.ts";
import { type Kind, kinds } from "../kinds/index.ts";
import type { LiveResource, LiveStore } from "../live/index.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import type { Pattern } from "../pattern.ts";
import { InvalidInputError, type Problem } from "../problem.ts";
import { nearest } from "../schema/suggest.ts";

/** A live resource and its address. */
export interface Found {
  address: Address;
  live: LiveResource;
}

/** The services that patterns choose in one environment. */
export interface Choice {
  environment: Found;
  /** Whether a pattern chooses the environment itself. */
  isWhole: boolean;
  /** The chosen services; of a whole environment, all that are in it. */
  services: Found[];
}

/**
 * Finds the live services that patterns choose. Reads only parents that may contain chosen services: one list of
 * projects, one of environments for each such project, one of services for each such environment.
 *
 * @throws InvalidInputError when a pattern chooses no environment and no service
 */
export async function chooseServices(
  { client, live }: { client: Client; live: LiveStore },
  organization: Organization,
  patterns: readonly Pattern[],
): Promise<Choice[]> {
  const seen: Address[] = [];
  const inside = async (parent: Found | undefined, parentId: string): Promise<Found[] | undefined> => {
    const contents = await live.contentsOf(client, parent?.live.kind, parentId);
    const found = contents?.resources.map((child) => ({
      address: parent
        ? childAddress(parent.address, child.kind, child.name)
        : { kind: child.kind, names: [child.name] },
      live: child,
    }));
    seen.push(...(found ?? []).map(({ address }) => address));
    return found;
  };
  const within = ({ address }: Found) => patterns.some((pattern) => pattern.looksInside(address.names));
  const chosen = ({ address }: Found) => patterns.some((pattern) => pattern.matches(address));

  const projects = await inside(undefined, organization.id);
  if (!projects) throw unknownOrganization(organization);
  const environments = await Promise.all(
    projects.filter(within).map(async (project) => (await inside(project, project.live.id)) ?? []),
  );
  const choices = await Promise.all(
    environments
      .flat()
      .filter((environment) => chosen(environment) || within(environment))
      .map(async (environment): Promise<Choice> => {
        const services = (await inside(environment, environment.live.id)) ?? [];
        const deployable = services.filter(({ live: { kind } }) => kind.deployment);
        const isWhole = chosen(environment);
        return { environment, isWhole, services: isWhole ? deployable : deployable.filter(chosen) };
      }),
  );
  const idle = patterns.flatMap((pattern) => problemOf(pattern, seen));
  if (idle.length > 0) throw new InvalidInputError(idle);
  return choices.filter(({ isWhole, services }) => isWhole || services.length > 0);
}

/** Why a pattern chooses nothing that can be deployed; none where it does. */
function problemOf(pattern: Pattern, seen: readonly Address[]): Problem[] {
  const matched = seen.filter((address) => pattern.matches(address));
  if (matched.some(({ kind }) => isDeployed(kind))) return [];
  const [outer] = matched;
  if (outer)
    return [
      {
        code: "target",
        message: `"${pattern.text}" chooses only the ${outer.kind.name}, and a ${outer.kind.name} cannot be deployed`,
        advice: `name its environments, such as ${formatReference(outer.names)}/*`,
      },
    ];
  const meant = nearest(
    pattern.text,
    seen
      .filter(({ kind }) => isDeployed(kind))
      .flatMap((address) => [formatAddress(address), formatReference(address.names)]),
  );
  return [
    {
      code: "target",
      message: `"${pattern.text}" matches no environment and no service`,
      advice: `${meant === undefined ? "" : `did you mean ${meant}? `}name an environment, such as shop/production, or services, such as job:shop/production/*`,
    },
  ];
}

/** Whether a kind is a service, or holds services. */
function isDeployed(kind: Kind): boolean {
  return kind.deployment !== undefined || kinds.some((inner) => inner.parent === kind && inner.deployment);
}
