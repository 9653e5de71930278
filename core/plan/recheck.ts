import { addressKey, type AnyAddress, formatAddress } from "../address.ts";
import { findKind, holdsServices, kinds } from "../kinds/index.ts";
import type { Contents } from "../live/index.ts";
import type { Problem } from "../problem.ts";
import type { Plan } from "./action.ts";
import { isDestructive } from "./departures.ts";
import { type CausedLoss, isCounted, lossesOf, titleOf } from "./caused-losses.ts";
import { subjectOf } from "../loss.ts";
import type { Policy } from "./policy.ts";
import { usedAmong } from "./own-use.ts";
import { countProblems, shareProblem } from "./safety.ts";

/** What holds whenever a plan is applied, whatever held when it was made. */
export type PolicyInForce = Pick<Policy, "protect" | "caps" | "ownToken">;

/** Something that a saved plan takes. */
interface Going {
  caused: CausedLoss;
  /** `job:shop/staging/a`, `the variable KEY of job:shop/staging/a`. */
  title: string;
  /** The resource: itself, or the one that it belongs to. */
  address: AnyAddress;
  /** Its addresses by all its names. */
  addresses: readonly AnyAddress[];
  /** The id of the parent, if the parent stays. */
  parentId?: string;
}

/** What a plan deletes or replaces, as the caps count it: `job:shop/staging/a`; `by`: the id of the action. */
export function deletionsOf({ actions }: Pick<Plan, "actions">): { title: string; by: string }[] {
  return lossesOf(actions)
    .filter(isCounted)
    .map((caused) => ({ title: titleOf(caused), by: caused.action.id }));
}

/** The reasons why a plan that has been saved may not delete or replace now: a protection, or the cap of a run. */
export function recheckSafety(plan: Plan, policy: PolicyInForce): Problem[] {
  const { protect, caps } = policy;
  const going = goingIn(plan);
  const problems: Problem[] = going.flatMap(({ title, address, addresses }) => {
    const pattern = protect.find((each) => addresses.some((one) => each.matches(one)));
    if (!pattern) return [];
    return {
      code: "protected",
      message: `${title} cannot be deleted or replaced: ${formatAddress(address)} is protected by the pattern "${pattern.text}", which holds now`,
      remedies: [{ again: "plan" }, { setting: "protect", value: pattern.text }],
      address: formatAddress(address),
    };
  });
  problems.push(...countProblems(caps, lossesOf(plan.actions)), ...usedAmong(goneIn(plan), policy));
  return problems.map((problem) => ({ ...problem, blocks: "apply" }));
}

/**
 * The environments of which a saved plan deletes or replaces too large a share now.
 *
 * @param contentsOf the present contents of a parent, by its id
 */
export function recheckShares(
  plan: Plan,
  { caps }: PolicyInForce,
  contentsOf: (parentId: string) => Contents | undefined,
): Problem[] {
  const services = goingIn(plan).filter(
    ({ caused, address }) => caused.loss.sort === "resource" && isService(address),
  );
  const groups = Map.groupBy(services, ({ address }) => addressKey(aboveOf(address)));
  return [...groups.values()].flatMap((inside) => {
    const [first] = inside;
    if (!first) return [];
    const parentId = inside.find((each) => each.parentId !== undefined)?.parentId;
    const contents = parentId === undefined ? undefined : contentsOf(parentId);
    const size = contents
      ? contents.resources.filter(({ kind }) => kind.deployment).length + contents.unknown.length
      : inside.length;
    const problem = shareProblem(caps, aboveOf(first.address), inside.length, size);
    return problem ? [{ ...problem, blocks: "apply" as const }] : [];
  });
}

/** The resources that a plan deletes or replaces by actions of their own, each by all its names. */
function goneIn({ actions }: Pick<Plan, "actions">) {
  return actions.filter(isDestructive).flatMap(({ address, liveAddress, resourceId: id }) =>
    namedBoth(address, liveAddress).map(({ names }) => ({
      kind: address.kind,
      id,
      address: { ...address, names },
    })),
  );
}

function goingIn({ actions }: Pick<Plan, "actions">): Going[] {
  return lossesOf(actions).flatMap((caused): Going[] => {
    const { loss, action } = caused;
    const subject = isCounted(caused) ? subjectOf(loss) : undefined;
    if (!subject) return [];
    const { address, liveAddress } = subject;
    const isStaying =
      loss.name === "" && isDestructive(action) && action.alongWith === undefined && "id" in action.parent;
    return [
      {
        caused,
        title: titleOf(caused),
        address,
        addresses: namedBoth(address, liveAddress),
        ...(isStaying && "id" in action.parent && { parentId: action.parent.id }),
      },
    ];
  });
}

/** The addresses with every mix of the names in the documents and the names on the server. */
function namedBoth(address: AnyAddress, live: AnyAddress = address): AnyAddress[] {
  const mixes = address.names.reduce<string[][]>(
    (paths, name, level) =>
      paths.flatMap((path) =>
        [...new Set([name, live.names[level] ?? name])].map((either) => [...path, either]),
      ),
    [[]],
  );
  return mixes.map((names) => ({ kind: address.kind, names }));
}

function aboveOf({ kind, names }: AnyAddress): AnyAddress {
  // A service of an unknown type has the parent of all services.
  const parent = findKind(kind.slug)?.parent ?? kinds.find(holdsServices) ?? kind;
  return { kind: parent, names: names.slice(0, -1) };
}

/** Whether a resource is a service, also one of a type without a kind. */
function isService({ kind: { slug } }: AnyAddress): boolean {
  const kind = findKind(slug);
  return kind === undefined || kind.deployment !== undefined;
}
