import PQueue from "p-queue";

/** So many actions at a time. */
export class Turns {
  readonly #queue: PQueue;

  constructor(most: number) {
    this.#queue = new PQueue({ concurrency: most });
  }

  /** Runs an action in its turn. */
  async run(action: (turn: Turn) => Promise<void>): Promise<void> {
    const turn = new Turn((isBegun) => this.#begin(isBegun));
    await turn.begin();
    try {
      await action(turn);
    } finally {
      turn.end();
    }
  }

  /** Resolves when the turn has come. @param isBegun whether the action has begun: it goes before those that have not */
  #begin(isBegun: boolean): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const held = () => new Promise<void>((end) => resolve(end));
    void this.#queue.add(held, { priority: isBegun ? 1 : 0 });
    return promise;
  }
}

/** The turn of one action, which it gives to another while it waits for the server. */
export class Turn {
  readonly #take: (isBegun: boolean) => Promise<() => void>;
  #release: (() => void) | undefined;
  #isBegun = false;
  /** How many waits of the action are under way. */
  #waits = 0;

  constructor(take: (isBegun: boolean) => Promise<() => void>) {
    this.#take = take;
  }

  async begin(): Promise<void> {
    this.#release = await this.#take(this.#isBegun);
    this.#isBegun = true;
  }

  end(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Waits while another action has the turn. */
  async aside<Value>(waiting: () => Promise<Value>): Promise<Value> {
    this.#waits += 1;
    this.end();
    try {
      return await waiting();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) await this.begin();
    }
  }
}
