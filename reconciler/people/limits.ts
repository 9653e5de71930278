import { type Address, type AnyAddress, formatAddress } from "../../core/model/addresses/address.ts";
import { kindOf } from "../../core/model/kinds/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { isChange, type Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { type CommitPolicy, previewName, environmentOf } from "../policy/index.ts";
import type { Limits } from "./access-file.ts";

/** The documents of a commit beyond the limits of the repository, as mistakes of the commit. */
export function commitBeyond(
  limits: Limits,
  { resources, policy }: { resources: readonly DesiredResource[]; policy: CommitPolicy },
): Problem[] {
  return [...documentsBeyond(limits, resources), ...previewsBeyond(limits, policy)];
}

function documentsBeyond(limits: Limits, resources: readonly DesiredResource[]): Problem[] {
  return resources.flatMap((resource) => {
    const { address, cloneFrom, manage } = resource;
    const beyond = (path: readonly string[], named: Address | undefined): Problem[] =>
      named && isBeyond(limits, named) ? [{ ...problemOf(named), position: resource.position(path) }] : [];
    const old = manage.renamed_from;
    const before =
      old === undefined ? undefined : { ...address, names: [...address.names.slice(0, -1), old] };
    const problems = [
      ...beyond([], address),
      ...beyond(["manage", "renamed_from"], before),
      // A clone has the variables and secrets of its source.
      ...beyond(["clone", "from"], cloneFrom),
    ];
    const isParent = environmentOf(address).names.length === address.names.length;
    if (manage.id !== undefined && isParent && limits.environments)
      problems.push({
        code: "setting",
        message: `${formatAddress(address)} names a live resource by its id, and this resource can be outside the limits of this repository`,
        advice:
          "name the resource by renamed_from, or ask the operator of the reconciler to widen the limits",
        address: formatAddress(address),
        position: resource.position(["manage", "id"]),
      });
    return problems;
  });
}

/** A policy of previews that makes or copies what the repository may not. */
function previewsBeyond(limits: Limits, { previews }: CommitPolicy): Problem[] {
  if (!previews) return [];
  const [project] = previews.from;
  const kind = kindOf("Environment");
  return [previews.from, [project, previewName(1)]]
    .map((names): Address => ({ kind, names: [...names] }))
    .filter((address) => isBeyond(limits, address))
    .slice(0, 1)
    .map((address) => ({ ...problemOf(address), message: `previews: ${problemOf(address).message}` }));
}

/** The changes of a plan beyond the limits of the repository, such as a prune. */
export function changesBeyond(limits: Limits, { actions }: Pick<Plan, "actions">): Problem[] {
  return actions
    .filter(isChange)
    .flatMap(({ address, liveAddress }) => [address, ...(liveAddress ? [liveAddress] : [])])
    .filter((address) => isBeyond(limits, address))
    .map(problemOf);
}

export function limitsOfBoth(left: Limits, right: Limits): Limits {
  const [ones, others] = [left.environments, right.environments];
  const [kinds, otherKinds] = [left.kinds, right.kinds];
  const environments =
    ones && others
      ? ones.map(({ text, matches }) => ({
          text,
          matches: (names: readonly string[]) => matches(names) && others.some((each) => each.matches(names)),
        }))
      : (ones ?? others);
  const both =
    kinds && otherKinds ? new Set([...kinds].filter((kind) => otherKinds.has(kind))) : (kinds ?? otherKinds);
  return { environments, kinds: both };
}

function isBeyond({ environments, kinds }: Limits, address: AnyAddress): boolean {
  const { names } = environmentOf(address);
  return (
    (environments !== undefined && !environments.some((pattern) => pattern.matches(names))) ||
    (kinds !== undefined && !kinds.has(address.kind.name))
  );
}

function problemOf(address: AnyAddress): Problem {
  return {
    code: "setting",
    message: `${formatAddress(address)} is outside the limits of this repository`,
    advice: "remove it, or ask the operator of the reconciler to widen the limits",
    address: formatAddress(address),
  };
}
