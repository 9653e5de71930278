/** The steps that one condition may take for one change, and all conditions together for a plan. */
const mostSteps = 200_000;
const mostStepsTogether = 10_000_000;

/**
 * The steps that the conditions of a plan may take: conditions come with commits of a team, and the service of all teams waits
 * while they are evaluated. Steps are counted, not timed, so that a verdict is the same on every machine.
 */
export class StepBudget {
  #left = mostStepsTogether;
  #leftOfOne = 0;

  /**
   * Evaluates a condition for a change.
   *
   * @throws BudgetError where it takes too many steps, whatever the condition makes of that
   */
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

  /**
   * Takes steps, before they are done.
   *
   * @throws BudgetError where so many are not left; from then on, for every further step
   */
  spend(steps: number): void {
    if (this.#leftOfOne >= steps) this.#leftOfOne -= steps;
    else {
      this.#leftOfOne = -1;
      throw new BudgetError();
    }
  }
}

/** A condition takes more steps than it may. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";

  constructor() {
    super(
      `it takes more than ${mostSteps.toLocaleString("en")} steps, or with the other conditions of the plan more than ${mostStepsTogether.toLocaleString("en")}`,
    );
  }
}
