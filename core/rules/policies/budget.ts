/** The steps of one condition for one change, and of all conditions for a plan. */
const mostSteps = 200_000;
const mostStepsTogether = 10_000_000;

/** The steps of a plan's conditions, which come with commits: counted, not timed, so that verdicts are the same everywhere. */
export class StepBudget {
  #left = mostStepsTogether;
  #leftOfOne = 0;

  /** Evaluates a condition. @throws BudgetError where it takes too many steps, even if the condition catches that */
  evaluate<Value>(work: () => Value): Value {
    const most = Math.min(mostSteps, this.#left);
    this.#leftOfOne = most;
    let ended: { value: Value } | { error: unknown };
    try {
      ended = { value: work() };
    } catch (error) {
      ended = { error };
    }
    this.#left -= most - Math.max(0, this.#leftOfOne);
    if (this.#leftOfOne < 0) throw new BudgetError();
    if ("error" in ended) throw ended.error;
    return ended.value;
  }

  /** Takes steps before they are done. @throws BudgetError where too few are left, and from then on always */
  spend(steps: number): void {
    if (this.#leftOfOne >= steps) this.#leftOfOne -= steps;
    else {
      this.#leftOfOne = -1;
      throw new BudgetError();
    }
  }
}

/** A condition exceeds its steps. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";

  constructor() {
    super(
      `it takes more than ${mostSteps.toLocaleString("en")} steps, or with the other conditions of the plan more than ${mostStepsTogether.toLocaleString("en")}`,
    );
  }
}
