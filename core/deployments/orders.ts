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
    const where = describeAddress(environment.address);
    if (isWhole && action === "restart" && able.length === 0)
      problems.push(
        impossible(
          environment,
          `nothing in ${where} can be restarted; ${whatRestarts()}`,
          "deploy it instead",
        ),
      );
    if (isWhole && Object.keys(version).length > 0)
      problems.push(
        impossible(
          environment,
          `only services take a version, and ${where} is an environment`,
          "name the services to deploy with it",
        ),
      );
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
  resource: ChosenResource,
  isWhole: boolean,
): Problem | undefined {
  const what = describeAddress(resource.address);
  if (action === "cancel" && !isWhole)
    return impossible(
      resource,
      `${what} cannot be cancelled by itself: a deployment is cancelled for its whole environment`,
      "name the environment",
    );
  return action === "restart" && !resource.address.kind.deployment?.restarts
    ? impossible(resource, `${what} cannot be restarted; ${whatRestarts()}`, "deploy it instead")
    : undefined;
}

function impossible({ address }: ChosenResource, message: string, advice: string): Problem {
  return { code: "impossible", message, advice, address: formatAddress(address) };
}

const versionNames: Record<VersionMember, string> = { image_tag: "image tag", git_commit_id: "commit" };

function ordered(
  chosen: ChosenResource,
  version: Version,
  problems: Problem[],
  isWhole: boolean,
): OrderedService {
  const { address, live } = chosen;
  const takes = address.kind.deployment?.version(live.fields);
  const wrong = (Object.keys(version) as VersionMember[]).find((member) => member !== takes);
  if (wrong !== undefined && !isWhole)
    problems.push(
      impossible(
        chosen,
        `${describeAddress(address)} runs no ${versionNames[wrong]}${takes === undefined ? "" : `, but a ${versionNames[takes]}`}`,
        "leave this service out",
      ),
    );
  const empty = (Object.keys(version) as VersionMember[]).find((member) => version[member]?.trim() === "");
  if (empty !== undefined)
    problems.push({
      code: "invalid",
      message: `${describeAddress(address)} cannot run an empty ${versionNames[empty]}`,
      advice: "perhaps a variable is not set; name a version, or none to deploy the present one",
      address: formatAddress(address),
    });
  if (Object.keys(version).length === 0) return { address, id: live.id };
  const losses = overwritten(chosen, version);
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

/** `these kinds can: Application, Container, Database`. */
function whatRestarts(): string {
  const able = kinds.filter(({ deployment }) => deployment?.restarts);
  return `these kinds can: ${able.map(({ name }) => name).join(", ")}`;
}
