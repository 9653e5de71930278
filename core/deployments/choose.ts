import { article } from "../values/text.ts";
import { type Address, childAddress, formatReference } from "../model/addresses/address.ts";
import { meantBy, writtenAddress } from "../model/addresses/meant.ts";
import type { Client } from "../api/index.ts";
import type { Kind } from "../model/kinds/index.ts";
import type { LiveResource, LiveStore } from "../state/live/index.ts";
import { type Organization, unknownOrganization } from "../state/organization.ts";
import type { Pattern } from "../model/addresses/pattern.ts";
import { InvalidInputError, type Problem } from "../problems/problem.ts";

export interface ChosenResource {
  address: Address;
  live: LiveResource;
}

/** The services that patterns choose in one environment. */
export interface DeploymentChoice {
  environment: ChosenResource;
  /** Whether a pattern chooses the environment itself. */
  isWhole: boolean;
  /** The chosen services; of a whole environment, all that are in it. */
  services: ChosenResource[];
}

/** Finds the live services that patterns choose, and reads only their possible parents. @throws InvalidInputError for an idle pattern */
export async function chooseServices(
  { client, live }: { client: Client; live: LiveStore },
  organization: Organization,
  patterns: readonly Pattern[],
  onWhole?: (environment: LiveResource) => void,
): Promise<DeploymentChoice[]> {
  const seen: Address[] = [];
  const inside = async (
    parent: ChosenResource | undefined,
    parentId: string,
  ): Promise<ChosenResource[] | undefined> => {
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
  const within = ({ address }: ChosenResource) =>
    patterns.some((pattern) => pattern.readsInside(address.names));
  const chosen = ({ address }: ChosenResource) => patterns.some((pattern) => pattern.matches(address));

  /** The services chosen in a resource, all levels deep. */
  const choicesIn = async (resource: ChosenResource): Promise<DeploymentChoice[]> => {
    const isWhole = resource.live.kind.jointDeployment !== undefined && chosen(resource);
    if (!isWhole && !within(resource)) return [];
    const reading = inside(resource, resource.live.id);
    if (isWhole) onWhole?.(resource.live);
    const contents = (await reading) ?? [];
    if (!resource.live.kind.jointDeployment) return (await Promise.all(contents.map(choicesIn))).flat();
    const deployable = contents.filter(({ live: { kind } }) => kind.deployment);
    const services = isWhole ? deployable : deployable.filter(chosen);
    return [{ environment: resource, isWhole, services }];
  };

  const roots = await inside(undefined, organization.id);
  if (!roots) throw unknownOrganization(organization);
  const choices = (await Promise.all(roots.map(choicesIn))).flat();
  const idle = patterns.flatMap((pattern) => problemOf(pattern, seen));
  if (idle.length > 0 && (await live.complete(client, organization.id)))
    return chooseServices({ client, live }, organization, patterns, onWhole);
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
        unmatched: pattern.text,
        message: `"${pattern.text}" chooses only the ${outer.kind.name}, and ${article(outer.kind.name)} cannot be deployed`,
        advice: `name its environments, such as ${formatReference(outer.names)}/*`,
      },
    ];
  const deployed = seen.filter(({ kind }) => isDeployed(kind));
  const meant = meantBy(pattern.text, deployed, writtenAddress);
  return [
    {
      code: "target",
      unmatched: pattern.text,
      message: `"${pattern.text}" matches no environment and no service`,
      advice: `${meant === undefined ? "" : `did you mean ${meant}? `}name an environment, such as shop/production, or services, such as job:shop/production/*`,
    },
  ];
}

function isDeployed({ deployment, jointDeployment }: Kind): boolean {
  return deployment !== undefined || jointDeployment !== undefined;
}
