import PQueue from "p-queue";
import {
  type Action,
  circleIn,
  deploys,
  placeKey,
  touches,
  waitsForOthers,
} from "../../planning/plan/index.ts";

/** Limits the number of concurrent actions. */
export class Turns {
  readonly #queue: PQueue;

  constructor(most: number) {
    this.#queue = new PQueue({ concurrency: most });
  }

  async run(action: (turn: Turn) => Promise<void>): Promise<void> {
    const turn = new Turn((isStarted) => this.#begin(isStarted));
    await turn.begin();
    try {
      await action(turn);
    } finally {
      turn.end();
    }
  }

  /** @param isBegun whether the action has started: it goes before those that have not */
  #begin(isStarted: boolean): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const held = () => new Promise<void>((end) => resolve(end));
    void this.#queue.add(held, { priority: isStarted ? 1 : 0 });
    return promise;
  }
}

/** The turn of one action, which it gives to another while it waits for the server. */
export class Turn {
  readonly #take: (isStarted: boolean) => Promise<() => void>;
  #release: (() => void) | undefined;
  #isStarted = false;
  /** The number of waits under way. */
  #waits = 0;

  constructor(take: (isStarted: boolean) => Promise<() => void>) {
    this.#take = take;
  }

  async begin(): Promise<void> {
    this.#release = await this.#take(this.#isStarted);
    this.#isStarted = true;
  }

  end(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Waits while another action has the turn. */
  async outsideTurn<Value>(waiting: () => Promise<Value>): Promise<Value> {
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

/** Runs each action once, after those in its `after`, a limited number at a time. @throws TypeError if some wait for each other */
export async function runInOrder(
  actions: readonly Action[],
  parallelism: number,
  run: (action: Action, turn?: Turn) => Promise<void>,
): Promise<void> {
  const circle = circleIn(actions);
  if (circle !== undefined) throw new TypeError(`the plan cannot be carried out: ${circle}`);
  const turns = new Turns(parallelism);
  const over = new Map(actions.map(({ id }) => [id, Promise.withResolvers<void>()]));
  const end = async (some: readonly { id: string }[]): Promise<void> => {
    await Promise.all(some.map(({ id }) => over.get(id)?.promise));
  };
  const others = actions.filter((action) => !waitsForOthers(action));
  const endsByPlace = new Map<string, Promise<void>>();
  const othersFor = (action: Action): Promise<void> => {
    const place = placeKey(action.address);
    const known = endsByPlace.get(place) ?? end(others.filter((other) => touches(other, place)));
    endsByPlace.set(place, known);
    return known;
  };
  const start = async (action: Action): Promise<void> => {
    await end(action.after.map((id) => ({ id })));
    if (waitsForOthers(action)) await othersFor(action);
    // A deployment may wait long, so it does not hold up others.
    await (deploys(action) ? run(action) : turns.run((turn) => run(action, turn)));
    over.get(action.id)?.resolve();
  };
  await Promise.all(actions.map(start));
}
