import { type AnyAddress, formatAddress } from "../address.ts";
import { type Loss, subjectOf } from "../loss.ts";
import { type CausedLoss, isCounted, lossesOf } from "../plan/losses.ts";
import type { LostResource } from "../plan/lost-resources.ts";
import { addressBy, type Identity } from "../plan/inventory.ts";
import type { Concern } from "../plan/planning.ts";
import type { DeletionCaps, Policy } from "../plan/policy.ts";
import type { Problem } from "../problem.ts";

/** The limits of one run. */
export const caps: Concern = {
  name: "caps",
  programs: true,
  guard({ planning: { policy, inventory }, actions, lostResources }) {
    const copies = new Set(lostResources.map(({ identity }) => identity).filter(isPassingCopy));
    const isInCopy = ({ parent }: Identity): boolean =>
      parent !== undefined && (copies.has(parent) || isInCopy(parent));
    const counting = lossesOf(actions).filter(({ loss }) => {
      const identity = inventory.byId.get(subjectOf(loss)?.id ?? "");
      return !identity || !isInCopy(identity);
    });
    return withOneRemedy([
      ...countProblems(policy.caps, counting),
      ...shareProblems(
        policy,
        lostResources.filter(({ identity }) => !isInCopy(identity)),
      ),
    ]);
  },
};

/** Whether a resource is a copy that a document has made for a while: with all that is in it, it counts as one. */
function isPassingCopy({ kind, live, documents }: Identity): boolean {
  const isPassing = live !== undefined && kind?.deletion?.isPassing?.(live.fields) === true;
  return isPassing && documents.some(({ cloneFrom }) => cloneFrom !== undefined);
}

/** Each problem with the caps that lift all of them: whoever raises one cap only is refused again. */
function withOneRemedy(problems: readonly OverCap[]): Problem[] {
  const count = problems.find(({ cap }) => !cap.endsWith("%"))?.cap;
  const percent = Math.max(
    0,
    ...problems.flatMap(({ cap }) => (cap.endsWith("%") ? Number.parseInt(cap, 10) : [])),
  );
  const value = [count, percent === 0 ? undefined : `${percent}%`]
    .filter((cap) => cap !== undefined)
    .join(",");
  return problems.map(({ problem }) => ({
    ...problem,
    remedies: [{ setting: "max_deletes", value }],
  }));
}

/** A problem, and the cap that would lift it: a number, or a share such as `34%`. */
interface OverCap {
  problem: Problem;
  cap: string;
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
      cap: String(count),
    },
  ];
}

/** The cap that counts a loss. */
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
      message: `${going} of the ${size} resources in ${address} would be deleted or replaced, more than ${percent} %`,
      advice: "do less at once",
      address,
    },
    cap: `${Math.ceil((going * 100) / size)}%`,
  };
}

/** Whether a resource is a service, also one of a type without a kind. */
function isService({ kind }: Identity): boolean {
  return kind === undefined || kind.deployment !== undefined;
}
