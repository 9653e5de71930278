import { QuotaError } from "../../core/api/index.ts";
import { everything, type PlanTargets, scopeOf, type EnvironmentView } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { type Environment, environmentKeyOf } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { documentDigests } from "./digests.ts";
import type { ViewSettings } from "./settings.ts";
import { keysOfDiffering } from "./environment-views.ts";

/** The extra requests of a check of known state, beside the lists that it reads again. */
const quietSlack = 20;

/** The completely known environments, the order of the others, and the requests for reading them. */
export class Coverage {
  readonly #rateBudget: ViewSettings["rateBudget"];
  readonly #memory: Memory;
  /** The keys of the environments that were completely known in the last refresh. */
  #known: ReadonlySet<string> = new Set();
  /** The keys of environments that events or people have named and that are unknown yet. */
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

  /** Ends a refresh. @param environments with their present knowledge */
  end(environments: readonly EnvironmentView[]): void {
    this.#isForCommit &&= environments.some(
      ({ isApplied, isKnown, isHealthUnread }) => !isApplied || !isKnown || isHealthUnread,
    );
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

  /** Gives priority to environments that events or a person have named, until they are known. */
  want(names: readonly string[]): void {
    this.#desired.add(environmentKeyOf(names));
  }

  /** Plans as many environments as the budget pays for, known, named and new ones first. @param again the lists that a quiet check reads */
  async plan<Planned>(
    environments: readonly Environment[],
    commit: LoadedCommit,
    again: number | undefined,
    planWith: (most: number) => PlanScope<Planned>,
  ): Promise<PlannedEnvironments<Planned>> {
    const { unknown, first: least } = this.#rateBudget.checkingBudget;
    const first = this.#first(environments, commit);
    const most = Math.min(this.affordable, again === undefined ? Infinity : 2 * again + quietSlack);
    const more = first.length === environments.length ? 0 : this.#isFirst ? least : unknown;
    await this.#rateBudget.keep(unknown === Infinity ? 0 : Math.max(most, more), this.#isForCommit);
    const found = await planKnown(environments, first, planWith(most), more > 0 ? planWith(more) : undefined);
    this.#known = new Set(found.known.map(({ key }) => key));
    for (const { key } of found.known) this.#desired.delete(key);
    return found;
  }

  /** The environments with priority: known ones, wanted ones, and those that a commit other than the first changes. */
  #first(environments: readonly Environment[], { resources }: LoadedCommit): Environment[] {
    const { wholeCommit, documents = {} } = this.#memory;
    const digests = documentDigests(resources);
    const changed = wholeCommit ? keysOfDiffering(environments, documents, digests) : new Set();
    const first = [this.#known, this.#desired, changed];
    return environments.filter(({ key }) => first.some((keys) => keys.has(key)));
  }
}

interface PlannedEnvironments<Planned> {
  known: Environment[];
  planned: Planned;
}

/** Plans a scope, with the reads for it. @throws QuotaError when it would exceed its requests */
type PlanScope<Planned> = (scope: PlanTargets) => Promise<Planned>;

/** Plans everything, or the environments that the requests suffice for: first the known and desired ones, then others with unreserved requests. */
async function planKnown<Planned>(
  environments: readonly Environment[],
  first: readonly Environment[],
  plan: PlanScope<Planned>,
  planMore: PlanScope<Planned> | undefined,
): Promise<PlannedEnvironments<Planned>> {
  const isAll = first.length === environments.length;
  const scope = isAll ? everything : scopeOf(first, environments);
  const planned = first.length === 0 ? undefined : await unlessShort(plan(scope));
  if (planned && (isAll || !planMore)) return { known: [...first], planned };
  const whole = planMore && !isAll ? await unlessShort(planMore(everything)) : undefined;
  if (whole) return { known: [...environments], planned: whole };
  const known: Environment[] = [];
  for (const environment of planMore ? environments : first)
    if (
      (planned && first.includes(environment)) ||
      (await unlessShort((planMore ?? plan)(scopeOf([environment], environments))))
    )
      known.push(environment);
  const together = await unlessShort(plan(scopeOf(known, environments)));
  if (together) return { known, planned: together };
  return { known: [], planned: await plan(scopeOf([], environments)) };
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
