import { counted } from "../../values/text.ts";
import { type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { type Loss, subjectOf } from "../../model/loss.ts";
import { type CausedLoss, isCounted, lossesOf } from "../plan/losses.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import { addressBy, type ResourceIdentity } from "../plan/inventory.ts";
import type { Concern } from "../plan/planning.ts";
import { defaultCaps, type DeletionCaps, type Policy } from "../plan/policy.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Remedy } from "../../problems/remedy.ts";

/** The limits of one run. */
export const caps: Concern = {
  name: "caps",
  programs: true,
  guard({ planning: { policy, inventory }, actions, lostResources }) {
    const copies = new Set(lostResources.map(({ identity }) => identity).filter(isPassingCopy));
    const isInCopy = ({ parent }: ResourceIdentity): boolean =>
      parent !== undefined && (copies.has(parent) || isInCopy(parent));
    const counting = lossesOf(actions).filter(({ loss }) => {
      const identity = inventory.byId.get(subjectOf(loss)?.id ?? "");
      return !identity || !isInCopy(identity);
    });
    return withOneRemedy(policy, [
      ...countProblems(policy.caps, counting),
      ...shareProblems(
        policy,
        lostResources.filter(({ identity }) => !isInCopy(identity)),
      ),
    ]);
  },
};

/** Whether a resource is a copy that a document has made for a while: with all that is in it, it counts as one. */
function isPassingCopy({ kind, live, documents }: ResourceIdentity): boolean {
  const isPassing = live !== undefined && kind?.deletion?.isPassing?.(live.fields) === true;
  return isPassing && documents.some(({ cloneFrom }) => cloneFrom !== undefined);
}

/**
 * Each problem with the caps that lift all of them, and with those that were raised already: whoever raises one cap only
 * is refused again.
 */
function withOneRemedy({ caps: inForce, fixedCaps }: Policy, problems: readonly OverCap[]): Problem[] {
  const needed = (cap: keyof DeletionCaps) => {
    const most = Math.max(0, ...problems.map((problem) => problem.cap[cap] ?? 0));
    return most > 0 ? most : inForce[cap] === defaultCaps[cap] ? undefined : inForce[cap];
  };
  const [count, percent] = [needed("count"), needed("percent")];
  const value = [
    ...(count === undefined ? [] : [String(count)]),
    ...(percent === undefined ? [] : [`${percent}%`]),
  ].join(",");
  const isFixed = problems.some(({ cap }) =>
    [
      cap.count !== undefined && fixedCaps?.caps.count,
      cap.percent !== undefined && fixedCaps?.caps.percent,
    ].some((fixed) => typeof fixed === "number"),
  );
  const remedies: Remedy[] = [
    { setting: "max_deletes", value, ...(isFixed && fixedCaps && { file: fixedCaps.file }) },
  ];
  return problems.map(({ problem }) => ({ ...problem, remedies }));
}

/** A problem, and the cap that would lift it. */
interface OverCap {
  problem: Problem;
  cap: Partial<DeletionCaps>;
}

/** The cap on the share of an environment counts only if the environment has this many services. */
const smallestShare = 10;

/** The problem of too many losses in one run. */
function countProblems({ count: limit, before = 0 }: DeletionCaps, losses: readonly CausedLoss[]): OverCap[] {
  const counting = losses.filter(isCounted);
  const count = counting.length + before;
  if (counting.length === 0 || count <= limit) return [];
  const nouns = [...new Set(counting.map(({ loss }) => nounOf(loss)))].toSorted((left, right) =>
    left === "resource" ? -1 : right === "resource" ? 1 : 0,
  );
  // Made here, because it loads the data of languages: a small plan would wait for them.
  const what = new Intl.ListFormat("en").format(nouns.map((noun) => (count === 1 ? noun : `${noun}s`)));
  return [
    {
      problem: {
        code: "too_many",
        message: `${count} ${what} would be deleted or replaced, and the limit is ${limit}`,
        advice: "do less at once",
      },
      cap: { count },
    },
  ];
}

function nounOf({ sort, what }: Loss): string {
  if (sort === "resource") return "resource";
  return what === "data" ? "data set" : what;
}

function shareProblems(policy: Policy, lostResources: readonly LostResource[]): OverCap[] {
  const services = lostResources.filter(({ identity }) => isService(identity));
  return [...Map.groupBy(services, ({ identity }) => identity.parent)].flatMap(([parent, going]) => {
    const [first] = going;
    if (!parent?.kind?.deletion?.takesContents || !first) return [];
    const size = parent.contents.filter(isService).length;
    return shareProblem(policy.caps, addressBy(parent, first.names.slice(0, -1)), going.length, size) ?? [];
  });
}

/**
 * The problem of too large a share of an environment.
 *
 * @param going how many of its services are deleted or replaced
 * @param size how many it has
 */
function shareProblem(
  { percent }: DeletionCaps,
  parent: AnyAddress,
  going: number,
  size: number,
): OverCap | undefined {
  if (size < smallestShare || going * 100 <= size * percent) return undefined;
  const address = formatAddress(parent);
  return {
    problem: {
      code: "too_many",
      message: `${going} of the ${counted(size, "resource")} in ${address} would be deleted or replaced, more than ${percent} %`,
      advice: "do less at once",
      address,
    },
    cap: { percent: Math.ceil((going * 100) / size) },
  };
}

/** Whether a resource is a service, also one of a type without a kind. */
function isService({ kind }: ResourceIdentity): boolean {
  return kind === undefined || kind.deployment !== undefined;
}
