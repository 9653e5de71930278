import {
  type Address,
  addressKey,
  describeAddress,
  formatAddress,
  parentAddress,
} from "../../../core/model/addresses/address.ts";
import {
  chooseServices,
  type DeploymentChoice,
  type DeploymentOrder,
  type ChosenResource,
  ordersOfVersions,
} from "../../../core/deployments/index.ts";
import { versionOf } from "../../../core/state/live/index.ts";
import type { DesiredResource } from "../../../core/manifests/manifest/index.ts";
import type { Run } from "../../../core/operations/index.ts";
import type { Organization } from "../../../core/state/organization.ts";
import { parsePattern, type Pattern } from "../../../core/model/addresses/pattern.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { nameBesideEnvironment } from "../../../core/outputs/show/index.ts";

/** A service that both environments build from Git. */
export interface BuiltFromGit {
  from: Address;
  to: Address;
}

/** The services that two environments build from Git: no manifest declares their running commits. */
export function builtFromGit(
  source: readonly DesiredResource[],
  target: readonly DesiredResource[],
): BuiltFromGit[] {
  const isBuilt = ({ address, declared }: DesiredResource) =>
    address.kind.deployment?.version(declared) === "git_commit_id";
  const keyOf = ({ address }: DesiredResource) =>
    `${address.kind.slug}:${nameBesideEnvironment(address).join("/").toLowerCase()}`;
  const sources = new Map(source.filter(isBuilt).map((each) => [keyOf(each), each.address]));
  return target.filter(isBuilt).flatMap((each) => {
    const from = sources.get(keyOf(each));
    return from ? [{ from, to: each.address }] : [];
  });
}

export function environmentsOf(pairs: readonly BuiltFromGit[]): Pattern[] {
  const around = pairs
    .flatMap(({ from, to }) => [from, to])
    .map((address) => parentAddress(address) ?? address);
  return [...new Set(around.map(formatAddress))].map((text) => parsePattern(text));
}

/** Orders that deploy the running commits of the source in the target, and why a commit cannot be promoted. */
export async function commitOrders(
  { run, organization }: { run: Run; organization: Organization },
  pairs: readonly BuiltFromGit[],
): Promise<{ chosenBy: Pattern[]; orders: DeploymentOrder[]; leftOut: Problem[] }> {
  const chosenBy = environmentsOf(pairs);
  const choices = await chooseServices(run, organization, chosenBy).catch((error: unknown) => {
    // A missing service runs no commit.
    if (error instanceof InvalidInputError) return [];
    throw error;
  });
  const found = new Map<string, { choice: DeploymentChoice; service: ChosenResource }>();
  for (const choice of choices)
    for (const service of choice.services) found.set(addressKey(service.address), { choice, service });
  const leftOut: Problem[] = [];
  const steps = pairs.flatMap(({ from, to }) => {
    const [source, target] = [found.get(addressKey(from)), found.get(addressKey(to))];
    const commit = source && versionOf(source.service.live);
    const present = target && versionOf(target.service.live);
    if (commit === present) return [];
    const missing = commit === undefined ? from : target ? undefined : to;
    if (missing)
      leftOut.push({
        code: "impossible",
        message: `${describeAddress(missing)} ${missing === from ? "runs no commit" : "does not exist yet"}`,
        advice: `apply the manifests of its environment with --deploy`,
        address: formatAddress(to),
      });
    if (!target || commit === undefined) return [];
    return [{ ...target, version: { git_commit_id: commit } }];
  });
  return { chosenBy, orders: ordersOfVersions(steps), leftOut };
}
