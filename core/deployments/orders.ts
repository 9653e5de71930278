import { describeAddress, formatAddress } from "../model/addresses/address.ts";
import { kinds, type VersionMember, versionIn } from "../model/kinds/index.ts";
import { type Loss, lossOfField } from "../model/loss.ts";
import { InvalidInputError, type Problem } from "../problems/problem.ts";
import type { DeploymentChoice, ChosenResource } from "./choose.ts";
import type { DeploymentAction, DeploymentOrder, OrderedService, Version } from "./order.ts";

/** The orders for an action on the chosen services, one for each environment. @throws InvalidInputError for an unsupported action */
export function ordersFor(
  action: DeploymentAction,
  choices: readonly DeploymentChoice[],
  version: Version,
): DeploymentOrder[] {
  const problems: Problem[] = [];
  const orders = choices.map(({ environment, isWhole, services }): DeploymentOrder => {
    const able = services.filter((service) => {
      const problem = problemOf(action, service, isWhole);
      if (problem && !isWhole) problems.push(problem);
      return !problem;
    });
    if (isWhole && action === "restart" && able.length === 0) problems.push(nothingToRestart(environment));
    if (isWhole && Object.keys(version).length > 0) problems.push(versionOfWhole(environment));
    return {
      action,
      environment: { address: environment.address, id: environment.live.id },
      isWhole,
      services: able.map((service) => ordered(service, version, problems, isWhole)),
    };
  });
  if (problems.length > 0) throw new InvalidInputError(problems);
  return orders;
}

/** Orders that deploy a version of its own for each service, one order for each environment. @throws InvalidInputError */
export function ordersOfVersions(
  steps: readonly { choice: DeploymentChoice; service: ChosenResource; version: Version }[],
): DeploymentOrder[] {
  const orders = steps.flatMap(({ choice, service, version }) =>
    ordersFor("deploy", [{ ...choice, isWhole: false, services: [service] }], version),
  );
  return [...Map.groupBy(orders, ({ environment }) => environment.id).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, services: group.flatMap(({ services }) => services) }] : [];
  });
}

function problemOf(
  action: DeploymentAction,
  { address }: ChosenResource,
  isWhole: boolean,
): Problem | undefined {
  const what = describeAddress(address);
  if (action === "cancel" && !isWhole)
    return {
      code: "impossible",
      message: `${what} cannot be cancelled by itself: a deployment is cancelled for its whole environment`,
      advice: "name the environment",
      address: formatAddress(address),
    };
  if (action === "restart" && !address.kind.deployment?.restarts)
    return {
      code: "impossible",
      message: `${what} cannot be restarted: ${restartable()} can`,
      advice: "deploy it again",
      address: formatAddress(address),
    };
  return undefined;
}

function nothingToRestart({ address }: ChosenResource): Problem {
  return {
    code: "impossible",
    message: `nothing in ${describeAddress(address)} can be restarted: ${restartable()} can`,
    advice: "deploy it again",
    address: formatAddress(address),
  };
}

function versionOfWhole({ address }: ChosenResource): Problem {
  return {
    code: "impossible",
    message: `only services take a version, and ${describeAddress(address)} is an environment`,
    advice: "name the services to deploy with it",
    address: formatAddress(address),
  };
}

const versionNames: Record<VersionMember, string> = { image_tag: "image tag", git_commit_id: "commit" };

function ordered(
  { address, live }: ChosenResource,
  version: Version,
  problems: Problem[],
  isWhole: boolean,
): OrderedService {
  const takes = address.kind.deployment?.version(live.fields);
  const wrong = (Object.keys(version) as VersionMember[]).find((member) => member !== takes);
  if (wrong !== undefined && !isWhole)
    problems.push({
      code: "impossible",
      message: `${describeAddress(address)} runs no ${versionNames[wrong]}${takes === undefined ? "" : `, but a ${versionNames[takes]}`}`,
      advice: "leave this service out",
      address: formatAddress(address),
    });
  const empty = (Object.keys(version) as VersionMember[]).find((member) => version[member]?.trim() === "");
  if (empty !== undefined)
    problems.push({
      code: "invalid",
      message: `${describeAddress(address)} cannot run an empty ${versionNames[empty]}`,
      advice: "perhaps a variable is not set; name a version, or none to deploy the present one",
      address: formatAddress(address),
    });
  if (Object.keys(version).length === 0) return { address, id: live.id };
  const losses = overwritten({ address, live }, version);
  return { address, id: live.id, version, ...(losses.length > 0 && { losses }) };
}

/** The version in the fields of a service, if a deployment writes another one over it. */
function overwritten({ address, live }: ChosenResource, { image_tag: tag }: Version): Loss[] {
  const former = versionIn(address.kind, live.fields);
  if (former === undefined || tag === undefined || former === tag) return [];
  return [
    lossOfField(
      { sort: "overwritten", what: "image tag", key: "", extent: `${former} -> ${tag}` },
      { id: live.id, address },
      { restorable: true },
    ),
  ];
}

/** The kinds whose services can be restarted: `Application, Container, Database`. */
function restartable(): string {
  return kinds
    .filter(({ deployment }) => deployment?.restarts)
    .map(({ name }) => name)
    .join(", ");
}
