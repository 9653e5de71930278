import { createContext, Script } from "node:vm";

/** Milliseconds that one evaluation may take, and all of a file together that take long. */
const longest = 1_000;
const longestTogether = 3_000;

/** What takes long: a loop in a loop, and a regular expression that tries everything. */
const loop = /\.\s*(?:all|exists|exists_one|existsOne|map|filter|bind|sortBy|transform\w+)\s*\(/g;
const expression = /\.\s*matches\s*\(/;

const context = createContext({});
const call = new Script("work()");

/** The time that the conditions of one file may take: a file comes with a commit, and others wait while it is evaluated. */
export class TimeLimit {
  #left = longestTogether;

  /**
   * Evaluates a condition, which ends at the limit, also in the middle of a regular expression.
   *
   * @throws TimeoutError
   */
  evaluate<Value>(text: string, work: () => Value): Value {
    // A limit costs more than a short condition.
    if ((text.match(loop)?.length ?? 0) < 2 && !expression.test(text)) return work();
    if (this.#left <= 0) throw new TimeoutError();
    const start = performance.now();
    try {
      context["work"] = work;
      return call.runInContext(context, { timeout: Math.ceil(Math.min(longest, this.#left)) }) as Value;
    } catch (error) {
      // The error is of the other context, whose `Error` is not that of this one.
      if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      this.#left -= performance.now() - start;
      throw new TimeoutError();
    } finally {
      delete context["work"];
    }
  }
}

/** A condition takes longer than it may. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor() {
    super(
      `it takes longer than ${longest / 1_000} s, or with the others of its file longer than ${longestTogether / 1_000} s`,
    );
  }
}
