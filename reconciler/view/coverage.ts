import { QuotaError } from "../../core/api/index.ts";
import { everything, type PlanTargets, scopeOf, type ShareView } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { type Share, shareKeyOf } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { documentMarks } from "./digests.ts";
import type { ViewSettings } from "./settings.ts";
import { keysOfDiffering } from "./share-views.ts";

/** How many requests a check of known state may need, beside the lists that it reads again. */
const quietSlack = 20;

/** Of which shares everything is known, which come first, and how many requests it may take to read the others. */
export class Coverage {
  readonly #allowance: ViewSettings["allowance"];
  readonly #memory: Memory;
  /** The keys of the shares of which everything was known in the last refresh. */
  #known: ReadonlySet<string> = new Set();
  /** The keys of the shares that events or people have named and that are not known yet. */
  readonly #wanted = new Set<string>();
  /** Whether nothing was known before this refresh. */
  #isFirst = true;
  /** Whether a commit is not applied, or no refresh since has read all of it: the share for applying pays for its reads too. */
  #isForCommit = false;

  constructor(allowance: ViewSettings["allowance"], memory: Memory) {
    this.#allowance = allowance;
    this.#memory = memory;
  }

  /** Begins a refresh for a commit. */
  begin(commit: LoadedCommit): void {
    this.#isFirst = this.#known.size === 0;
    this.#isForCommit ||= this.#memory.wholeCommit !== undefined && !this.#memory.isApplied(commit);
  }

  /** Ends a refresh that has read all that is known of shares now. */
  end(shares: readonly ShareView[]): void {
    this.#isForCommit &&= shares.some((share) => !share.isApplied || !share.isKnown || share.isHealthUnread);
  }

  /** The keys of the shares of which everything is known. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /** What the requests of a refresh are for. */
  get purpose(): "commit" | undefined {
    return this.#isForCommit ? "commit" : undefined;
  }

  /** The requests that may read now what events name, and what a commit changes. */
  get affordable(): number {
    const { lookingBudget, lendable } = this.#allowance;
    const { suspects, first } = lookingBudget;
    return (this.#isFirst ? Math.max(suspects, first) : suspects) + (this.#isForCommit ? lendable : 0);
  }

  /** Events or a person have named shares: they come first until they are known. */
  want(names: readonly string[]): void {
    this.#wanted.add(shareKeyOf(names));
  }

  /**
   * Plans as many shares as the allowance pays for: first those that are known, named or new.
   *
   * @param again how many lists a quiet check reads again; undefined if there is more to do
   * @param planWith plans with so many requests at most
   */
  async plan<Planned>(
    shares: readonly Share[],
    commit: LoadedCommit,
    again: number | undefined,
    planWith: (most: number) => PlanScope<Planned>,
  ): Promise<PlannedShares<Planned>> {
    const { unknown, first: least } = this.#allowance.lookingBudget;
    const first = this.#first(shares, commit);
    // A quiet check may need a few requests more than the lists that it reads again.
    const most = Math.min(this.affordable, again === undefined ? Infinity : 2 * again + quietSlack);
    const more = first.length === shares.length ? 0 : this.#isFirst ? least : unknown;
    await this.#allowance.keep(unknown === Infinity ? 0 : Math.max(most, more), this.#isForCommit);
    const found = await planKnown(shares, first, planWith(most), more > 0 ? planWith(more) : undefined);
    this.#known = new Set(found.known.map(({ key }) => key));
    for (const { key } of found.known) this.#wanted.delete(key);
    return found;
  }

  /** The shares that come first: those that are known, those that are wanted, and those that another commit than the first changes. */
  #first(shares: readonly Share[], { resources }: LoadedCommit): Share[] {
    const { wholeCommit, documents = {} } = this.#memory;
    const changed = wholeCommit ? keysOfDiffering(shares, documents, documentMarks(resources)) : new Set();
    return shares.filter(({ key }) => this.#known.has(key) || this.#wanted.has(key) || changed.has(key));
  }
}

/** The plans that the available requests suffice for. */
interface PlannedShares<Planned> {
  known: Share[];
  planned: Planned;
}

/** Plans a scope, and reads what that needs. @throws QuotaError when it would have to read more than it may */
type PlanScope<Planned> = (scope: PlanTargets) => Promise<Planned>;

/**
 * Plans everything, or, where the requests do not suffice to read all of it, the shares of which everything is known. What
 * was read is known from then on, also where it did not suffice.
 *
 * @param first the shares that were known before, or that somebody asks for
 * @param plan how these are planned
 * @param planMore how all others are planned: with requests that are not kept back for the first ones; undefined if there are
 *   none now
 */
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

async function unlessShort<Planned>(planning: Promise<Planned>): Promise<Planned | undefined> {
  try {
    return await planning;
  } catch (error) {
    if (error instanceof QuotaError) return undefined;
    throw error;
  }
}
