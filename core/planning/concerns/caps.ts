import { counted } from "../../values/text.ts";
import { type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { type Loss, subjectOf } from "../../model/loss.ts";
import { type CausedLoss, isCounted, keyOf, lossesOf } from "../plan/losses.ts";
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

/** Whether a resource is a copy with an expiry or an owner: with its contents, it counts as one. */
function isPassingCopy({ kind, live, documents }: ResourceIdentity): boolean {
  const isPassing = live !== undefined && kind?.deletion?.isPassing?.(live.fields) === true;
  return isPassing && documents.some(({ cloneFrom }) => cloneFrom !== undefined);
}

/** Gives each problem the remedy that lifts all exceeded caps, so that a user need not raise them one by one. */
function withOneRemedy({ caps: inForce, fixedCaps }: Policy, problems: readonly OverCap[]): Problem[] {
  const needed = (cap: "count" | "percent") => {
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

interface OverCap {
  problem: Problem;
  cap: Partial<DeletionCaps>;
}

/** The cap on the percentage applies only to environments with at least this many services. */
const smallestShare = 10;

function countProblems(
  { count: limit, before = new Set() }: DeletionCaps,
  losses: readonly CausedLoss[],
): OverCap[] {
  const counting = losses.filter(isCounted);
  const own = new Set(counting.map(keyOf));
  const count = counting.length + [...before].filter((key) => !own.has(key)).length;
  if (counting.length === 0 || count <= limit) return [];
  const nouns = [...new Set(counting.map(({ loss }) => nounOf(loss)))].toSorted((left, right) =>
    left === "resource" ? -1 : right === "resource" ? 1 : 0,
  );
  // Not a constant: it loads language data, which a small plan need not wait for.
  const what = new Intl.ListFormat("en").format(nouns.map((noun) => (count === 1 ? noun : `${noun}s`)));
  return [
    {
      problem: {
        code: "too_many",
        message: `${count} ${what} would be deleted or replaced, and the limit is ${limit}`,
        advice: "make fewer changes at once",
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

/** @param going the number of deleted or replaced services @param size the number of all services */
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
      advice: "make fewer changes at once",
      address,
    },
    cap: { percent: Math.ceil((going * 100) / size) },
  };
}

/** Whether a resource is a service, also one of a type without a kind. */
function isService({ kind }: ResourceIdentity): boolean {
  return kind === undefined || kind.deployment !== undefined;
}
