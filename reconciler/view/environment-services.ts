import { childAddress } from "../../core/model/addresses/address.ts";
import {
  withDeclaredVersions,
  type ChosenResource,
  type DeploymentChoice,
  declaredVersions,
  type EnvironmentDeploymentStatus,
  readDeploymentStatuses,
} from "../../core/deployments/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import type { LiveReader, LiveValues } from "../../core/state/live/index.ts";
import { type Environment, environmentOf } from "../policy/index.ts";

/** The services of an environment, and the ids of its parents. */
export interface EnvironmentServices extends EnvironmentDeploymentStatus {
  organizationId: string;
  projectId: string;
}

/** The commit in force, of how many services the addresses are read, and of which the last read failed: these come last. */
interface ServicesRequest {
  environments: readonly Environment[];
  documents: readonly Pick<DesiredResource, "address" | "declared">[];
  most: number;
  failed: Set<string>;
}

/** The services of all environments, by the keys of the environments, from the live store; only addresses cost requests, while the page is open. */
export async function environmentServices(
  reader: LiveReader,
  organizationId: string,
  { environments, documents, most, failed }: ServicesRequest,
): Promise<Map<string, EnvironmentServices>> {
  const keys = new Set(environments.map(({ key }) => key));
  const choices = choicesIn(reader.live.known(), undefined, organizationId).filter(({ environment }) =>
    keys.has(environmentOf(environment.address).key),
  );
  const { statuses } = await readDeploymentStatuses(reader, organizationId, choices, { most, failed });
  const versions = declaredVersions(documents);
  const projects = new Map(choices.map(({ environment: { live } }) => [live.id, live.parentId]));
  return new Map(
    statuses.map((status) => {
      const { address, id } = status.environment;
      const around = { organizationId, projectId: projects.get(id) ?? "" };
      return [environmentOf(address).key, { ...withDeclaredVersions(status, versions), ...around }];
    }),
  );
}

/** The services of the environments in a resource, or in the organization, as far as their lists are known. */
function choicesIn(known: LiveValues, parent: ChosenResource | undefined, id: string): DeploymentChoice[] {
  const contents = known.contents.get(id);
  const inside = (contents?.resources ?? []).map((live): ChosenResource => {
    const { kind, name } = live;
    return { address: parent ? childAddress(parent.address, kind, name) : { kind, names: [name] }, live };
  });
  if (!parent?.live.kind.jointDeployment)
    return inside.flatMap((each) => choicesIn(known, each, each.live.id));
  const services = inside.filter(({ live }) => live.kind.deployment);
  return contents ? [{ environment: parent, isWhole: true, services }] : [];
}
