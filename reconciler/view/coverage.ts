import { QuotaError } from "../../core/api/index.ts";
import { everything, type PlanTargets, scopeOf, type ShareView } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { type Share, shareKeyOf } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { documentMarks } from "./digests.ts";
import type { ViewSettings } from "./settings.ts";
import { keysOfDiffering } from "./share-views.ts";

/** The extra requests of a check of known state, beside the lists that it reads again. */
const quietSlack = 20;

/** The completely known shares, the order of the others, and the requests for reading them. */
export class Coverage {
  readonly #rateBudget: ViewSettings["rateBudget"];
  readonly #memory: Memory;
  /** The keys of the shares that were completely known in the last refresh. */
  #known: ReadonlySet<string> = new Set();
  /** The keys of shares that events or people have named and that are unknown yet. */
  readonly #desired = new Set<string>();
  #isFirst = true;
  /** Whether a commit is not applied and read yet: the quota's share for changes then pays for reads too. */
  #isForCommit = false;

  constructor(rateBudget: ViewSettings["rateBudget"], memory: Memory) {
    this.#rateBudget = rateBudget;
    this.#memory = memory;
  }

  begin(commit: LoadedCommit): void {
    this.#isFirst = this.#known.size === 0;
    this.#isForCommit ||= this.#memory.wholeCommit !== undefined && !this.#memory.isApplied(commit);
  }

  /** Ends a refresh. @param shares with their present knowledge */
  end(shares: readonly ShareView[]): void {
    this.#isForCommit &&= shares.some((share) => !share.isApplied || !share.isKnown || share.isHealthUnread);
  }

  get known(): ReadonlySet<string> {
    return this.#known;
  }

  get purpose(): "commit" | undefined {
    return this.#isForCommit ? "commit" : undefined;
  }

  /** The requests for reading resources of events and of changes of a commit now. */
  get affordable(): number {
    const { checkingBudget, lendable } = this.#rateBudget;
    const { suspects, first } = checkingBudget;
    return (this.#isFirst ? Math.max(suspects, first) : suspects) + (this.#isForCommit ? lendable : 0);
  }

  /** Gives priority to shares that events or a person have named, until they are known. */
  want(names: readonly string[]): void {
    this.#desired.add(shareKeyOf(names));
  }

  /** Plans as many shares as the budget pays for, known, named and new ones first. @param again the lists that a quiet check reads */
  async plan<Planned>(
    shares: readonly Share[],
    commit: LoadedCommit,
    again: number | undefined,
    planWith: (most: number) => PlanScope<Planned>,
  ): Promise<PlannedShares<Planned>> {
    const { unknown, first: least } = this.#rateBudget.checkingBudget;
    const first = this.#first(shares, commit);
    const most = Math.min(this.affordable, again === undefined ? Infinity : 2 * again + quietSlack);
    const more = first.length === shares.length ? 0 : this.#isFirst ? least : unknown;
    await this.#rateBudget.keep(unknown === Infinity ? 0 : Math.max(most, more), this.#isForCommit);
    const found = await planKnown(shares, first, planWith(most), more > 0 ? planWith(more) : undefined);
    this.#known = new Set(found.known.map(({ key }) => key));
    for (const { key } of found.known) this.#desired.delete(key);
    return found;
  }

  /** The shares with priority: known ones, wanted ones, and those that a commit other than the first changes. */
  #first(shares: readonly Share[], { resources }: LoadedCommit): Share[] {
    const { wholeCommit, documents = {} } = this.#memory;
    const changed = wholeCommit ? keysOfDiffering(shares, documents, documentMarks(resources)) : new Set();
    return shares.filter(({ key }) => this.#known.has(key) || this.#desired.has(key) || changed.has(key));
  }
}

interface PlannedShares<Planned> {
  known: Share[];
  planned: Planned;
}

/** Plans a scope, with the reads for it. @throws QuotaError when it would exceed its requests */
type PlanScope<Planned> = (scope: PlanTargets) => Promise<Planned>;

/** Plans everything, or the shares that the requests suffice for: first the known and desired ones, then others with unreserved requests. */
async function planKnown<Planned>(
  shares: readonly Share[],
  first: readonly Share[],
  plan: PlanScope<Planned>,
  planMore: PlanScope<Planned> | undefined,
): Promise<PlannedShares<Planned>> {
  const isAll = first.length === shares.length;
  const planned =
    first.length === 0 ? undefined : await unlessShort(plan(isAll ? everything : scopeOf(first, shares)));
  if (planned && (isAll || !planMore)) return { known: [...first], planned };
  const whole = planMore && !isAll ? await unlessShort(planMore(everything)) : undefined;
  if (whole) return { known: [...shares], planned: whole };
  const known: Share[] = [];
  for (const share of planMore ? shares : first)
    if (
      (planned && first.includes(share)) ||
      (await unlessShort((planMore ?? plan)(scopeOf([share], shares))))
    )
      known.push(share);
  const together = await unlessShort(plan(scopeOf(known, shares)));
  return together ? { known, planned: together } : { known: [], planned: await plan(scopeOf([], shares)) };
}

/** A result; undefined where the share of the quota is spent. */
export async function unlessShort<Planned>(planning: Promise<Planned>): Promise<Planned | undefined> {
  try {
    return await planning;
  } catch (error) {
    if (error instanceof QuotaError) return undefined;
    throw error;
  }
}
