import {
  addressKey,
  formatAddress,
  parentAddress,
  parentKey,
  parentsOf,
} from "../../model/addresses/address.ts";
import {
  changesToDeploy,
  type DeploymentStatus,
  isFailedDeployment,
  isOutOfDate,
  statusOf,
  whyNotRunning,
} from "../../state/live/index.ts";
import { counted, firstNamed } from "../../values/text.ts";
import { inheritedParts, type PartEntry } from "../../model/parts/index.ts";
import { type Action, actionId, type DeployReason, makeAction, type ParentReference } from "./action.ts";
import { isTarget } from "./documents.ts";
import { knownParts } from "./parts.ts";
import type { Planning } from "./planning.ts";
import { reachesInside } from "./inherited-parts.ts";
import { isChange, makes } from "./action-types.ts";
import type { WaveOf } from "./wave.ts";

/** Plans the deployments that the policy asks for: of changed and outdated services, and of cloned environments as a whole. */
export function planDeployments(planning: Planning, changes: readonly Action[], waveOf: WaveOf): Action[] {
  if (!planning.policy.deploy) return [];
  const inside = Map.groupBy(changes, ({ address }) => parentKey(address));
  const clones = changes.filter(({ source, address }) => source && holdsServices(address));
  const wholes = new Set(clones.map(({ address }) => addressKey(address)));
  const spreading = changes.filter(reachesInside);
  return [
    ...clones.map((clone) =>
      deployAll(clone, inside.get(addressKey(clone.address)) ?? [], clonesOf(clone.address, changes)),
    ),
    ...[...inside].flatMap(([parent, actions]) =>
      wholes.has(parent) ? [] : deploySome(planning, actions, spreading, changes, waveOf),
    ),
  ];
}

/** Mentions managed services that are out of date and not deployed, as far as their statuses are known. */
export function noteUndeployed(
  { live, findings, policy }: Planning,
  changes: readonly Action[],
  deployments: readonly Action[],
): void {
  const deployed = new Set(deployments.map(({ address }) => addressKey(address)));
  const found = changes.flatMap(({ address, parent, resourceId = "" }) => {
    const statuses = "id" in parent ? live.statuses.get(parent.id) : undefined;
    const around = parentAddress(address);
    if (!statuses && "id" in parent && around && address.kind.deployment && resourceId !== "") {
      if (policy.strict) findings.needStatuses(around.kind, parent.id);
      else if (isTarget(policy, address)) findings.leaveUnread({ address: around, sort: "deployments" });
    }
    const status = statuses && address.kind.deployment && statusOf(statuses, resourceId);
    const why = status && whyNotRunning(status);
    const isNone = why === undefined || deployed.has(addressKey(address)) || !isTarget(policy, address);
    return isNone ? [] : [{ address, text: `${formatAddress(address)}: ${why}` }];
  });
  if (found.length === 0) return;
  findings.note({
    code: "not_deployed",
    message: `${counted(found.length, "service")} ${found.length === 1 ? "is" : "are"} not deployed (${firstNamed(found.map(({ text }) => text))})`,
    resources: found.map(({ address }) => address),
    remedies: [{ statuses: true }],
  });
}

function holdsServices({ kind }: Action["address"]): boolean {
  return kind.jointDeployment !== undefined;
}

/** The deployment of a cloned environment, after all changes in it. */
function deployAll(
  { id, address, parent }: Action,
  inside: readonly Action[],
  copies: readonly Action[],
): Action {
  return makeAction({
    type: "deploy",
    address,
    parent,
    subject: { madeBy: id },
    after: [...new Set([id, ...changed([...inside, ...copies])])],
    reason: "changed",
  });
}

/** The deployments of services of one environment, a wave at a time, after all changes in this and earlier waves. */
function deploySome(
  planning: Planning,
  inside: readonly Action[],
  spreading: readonly Action[],
  changes: readonly Action[],
  waveOf: WaveOf,
): Action[] {
  const above = spreading.filter(({ address }) => inside.some((action) => isAbove(address, action.address)));
  const [first] = inside;
  const environment = first && parentAddress(first.address);
  const copies = environment ? clonesOf(environment, changes) : [];
  const leaders = new Map<number, string>();
  return inside.flatMap((action): Action[] => {
    const reason = reasonFor(planning, action, above.length > 0);
    const subject = subjectOf(action);
    if (!reason) return [];
    const { address, parent } = action;
    const wave = waveOf(address)?.number ?? 0;
    const carriedOutBy = leaders.get(wave);
    if (carriedOutBy === undefined) leaders.set(wave, actionId("deploy", address));
    const before = inside.filter((other) => (waveOf(other.address)?.number ?? 0) <= wave);
    const after = [...new Set(changed([...above, ...before, ...copies]))];
    return [makeAction({ type: "deploy", address, parent, subject, after, carriedOutBy, reason })];
  });
}

/** The clones of an environment and its services: the server makes no clone while the source is being deployed. */
function clonesOf(environment: Action["address"], changes: readonly Action[]): Action[] {
  return changes.filter(
    ({ source }) =>
      source &&
      (addressKey(source.address) === addressKey(environment) || isAbove(environment, source.address)),
  );
}

function isAbove(outer: Action["address"], inner: Action["address"]): boolean {
  return parentsOf(inner).some((parent) => addressKey(parent) === addressKey(outer));
}

function changed(actions: readonly Action[]): string[] {
  return actions.filter(isChange).map(({ id }) => id);
}

function subjectOf(action: Action): ParentReference {
  const { id, resourceId } = action;
  return makes(action) || resourceId === undefined ? { madeBy: id } : { id: resourceId };
}

const reasons: Record<DeploymentStatus, DeployReason | undefined> = {
  NEVER_DEPLOYED: "never_deployed",
  OUT_OF_DATE: "out_of_date",
  UP_TO_DATE: undefined,
};

/** Undefined: not deployed, or reads are missing. */
function reasonFor(planning: Planning, action: Action, isChangedAround: boolean): DeployReason | undefined {
  const { live, policy, findings } = planning;
  const { address, parent } = action;
  const { deployment, parent: parentKind } = address.kind;
  if (!deployment || !parentKind) return undefined;
  if (isChange(action)) return "changed";
  if (action.resourceId === undefined || !("id" in parent) || !isTarget(policy, address)) return undefined;
  const inherits = inheritedParts(address.kind).length > 0;
  if (isChangedAround && inherits) return "changed";
  const statuses = live.statuses.get(parent.id);
  if (!statuses) {
    findings.needStatuses(parentKind, parent.id);
    return undefined;
  }
  const status = statusOf(statuses, action.resourceId);
  if (!status?.deploymentStatus) {
    findings.note({
      code: "deployment_unknown",
      message: "not deployed, because the server does not report whether it needs a deployment",
      address,
    });
    return undefined;
  }
  const hasFailed = isFailedDeployment(status.state) && !isOutOfDate(status);
  const reason = hasFailed
    ? policy.leavesFailed?.(address)
      ? undefined
      : "failed"
    : reasons[status.deploymentStatus];
  if (reason || !inherits) return reason;
  return changesToDeploy(status, partsAround(planning, parent.id)).length > 0 ? "changed_around" : undefined;
}

/** The known parts that services in a live resource inherit from it and its parents. */
function partsAround(planning: Planning, id: string): readonly PartEntry[] {
  const resource = planning.inventory.byId.get(id)?.live;
  return resource ? knownParts(planning, resource, inheritedParts(resource.kind)) : [];
}
