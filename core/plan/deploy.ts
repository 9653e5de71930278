import { addressKey, parentAddress } from "../address.ts";
import { kindsInside } from "../kinds/index.ts";
import { type DeploymentStatus, statusOf } from "../live/index.ts";
import { type Action, actionId, type DeployAction, type DeployReason } from "./action.ts";
import { isTarget } from "./documents.ts";
import type { Planning } from "./planning.ts";

/**
 * Plans the deployments that follow from a plan: of the services that it makes or changes, of those that are described and
 * targeted and do not run as the API holds them, and of each environment that it clones, as a whole. Nothing without
 * the policy.
 */
export function planDeployments(planning: Planning, changes: readonly Action[]): DeployAction[] {
  if (!planning.policy.deploy) return [];
  const inside = Map.groupBy(changes, ({ address }) => keyOfParent(address));
  const clones = changes.filter(({ type, address }) => type === "clone" && holdsServices(address));
  const wholes = new Set(clones.map(({ address }) => addressKey(address)));
  const spreading = changes.filter(spreads);
  return [
    ...clones.map((clone) => deployAll(clone, inside.get(addressKey(clone.address)) ?? [])),
    ...[...inside].flatMap(([parent, actions]) =>
      wholes.has(parent) ? [] : deploySome(planning, actions, spreading),
    ),
  ];
}

function holdsServices({ kind }: Action["address"]): boolean {
  return kindsInside(kind).some(({ deployment }) => deployment);
}

function keyOfParent(address: Action["address"]): string {
  const parent = parentAddress(address);
  return parent ? addressKey(parent) : "";
}

/** The deployment of an environment that is cloned, after all that is changed in it. */
function deployAll({ id, address, parent }: Action, inside: readonly Action[]): DeployAction {
  return {
    type: "deploy",
    id: actionId("deploy", address),
    address,
    parent,
    subject: { madeBy: id },
    after: [id, ...changed(inside)],
    reason: "changed",
  };
}

/** The deployments of services of one environment, after all that is changed in it. */
function deploySome(
  planning: Planning,
  inside: readonly Action[],
  spreading: readonly Action[],
): DeployAction[] {
  const above = spreading.filter(({ address }) => inside.some((action) => isAbove(address, action.address)));
  const after = changed([...above, ...inside.filter(({ address }) => address.kind.deployment)]);
  let first: string | undefined;
  return inside.flatMap((action): DeployAction[] => {
    const reason = reasonFor(planning, action, above.length > 0);
    const subject = subjectOf(action);
    if (!reason || !subject) return [];
    const { address, parent } = action;
    const id = actionId("deploy", address);
    const along = first === undefined ? {} : { alongWith: first };
    first ??= id;
    return [{ type: "deploy", id, address, parent, subject, after, ...along, reason }];
  });
}

/** Whether an action changes what the services inside its resource run with: variables of an environment or a project. */
function spreads({ address: { kind }, ...action }: Action): boolean {
  if (kind.deployment || action.type !== "update") return false;
  const members = new Set(kind.parts.map(({ member }) => member));
  return action.changes.some(({ path: [member = ""] }) => members.has(member));
}

/** Whether an address is that of something that contains the other, at whatever depth. */
function isAbove(outer: Action["address"], inner: Action["address"]): boolean {
  const parent = parentAddress(inner);
  return parent !== undefined && (addressKey(parent) === addressKey(outer) || isAbove(outer, parent));
}

function changed(actions: readonly Action[]): string[] {
  return actions.filter(({ type }) => type !== "none" && type !== "delete").map(({ id }) => id);
}

/** What an action leaves there: known by id, or made by the action. */
function subjectOf(action: Action): DeployAction["subject"] | undefined {
  switch (action.type) {
    case "create":
    case "clone":
    case "replace":
      return { madeBy: action.id };
    case "update":
    case "none":
      return action.resourceId === undefined ? { madeBy: action.id } : { id: action.resourceId };
    default:
      return undefined;
  }
}

const reasons: Record<DeploymentStatus, DeployReason | undefined> = {
  NEVER_DEPLOYED: "never_deployed",
  OUT_OF_DATE: "out_of_date",
  UP_TO_DATE: undefined,
};

/** Why a service is deployed; undefined: it is not, or what is needed to know has not been read. */
function reasonFor(
  { live, policy, findings }: Planning,
  action: Action,
  isChangedAbove: boolean,
): DeployReason | undefined {
  const { address, parent, type } = action;
  if (!address.kind.deployment) return undefined;
  if (type !== "none") return "changed";
  if (action.resourceId === undefined || !("id" in parent) || !isTarget(policy.targets, address))
    return undefined;
  if (isChangedAbove) return "changed";
  const statuses = live.statuses.get(parent.id);
  if (!statuses) {
    findings.needStatuses(parent.id);
    return undefined;
  }
  const status = statusOf(statuses, action.resourceId)?.deploymentStatus;
  return status && reasons[status];
}
