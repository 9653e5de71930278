import { conflict } from "./errors.ts";
import type { World } from "./world.ts";

/** Something that takes time. It is data, so that it survives a restart; `finishers` know what ends it. */
export interface Operation {
  kind: OperationKind;
  /** Ids of all that no other operation may touch meanwhile. */
  holds: string[];
  /** Ids of what it makes or removes. */
  subjects: string[];
  /** Unix milliseconds at which it is over. */
  endsAt: number;
}

export type OperationKind = "clone" | "delete";

type Finisher = (operation: Operation, world: World) => void;

const finishers = new Map<OperationKind, Finisher>();

/** Says what happens when operations of this kind are over. */
export function onFinish(kind: OperationKind, finish: Finisher): void {
  finishers.set(kind, finish);
}

/** What is under way, carried on by the clock: `settle` ends all that is due. */
export class Operations {
  readonly #world: World;
  #running: Operation[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Starts an operation; one that takes no time is over on return. */
  start(operation: Omit<Operation, "endsAt">, milliseconds: number): void {
    const started = { ...operation, endsAt: this.#world.clock.now() + milliseconds };
    if (milliseconds <= 0) this.#finish(started);
    else this.#running.push(started);
  }

  /** Ends what is due, in order of time. */
  settle(): void {
    const now = this.#world.clock.now();
    const due = this.#running.filter((operation) => operation.endsAt <= now);
    if (due.length === 0) return;
    this.#running = this.#running.filter((operation) => operation.endsAt > now);
    for (const operation of due.toSorted((a, b) => a.endsAt - b.endsAt)) this.#finish(operation);
  }

  /** The operation that holds this id. */
  on(id: string): Operation | undefined {
    return this.#running.find((operation) => operation.holds.includes(id));
  }

  /** Throws 409 while an operation holds one of the ids. */
  requireIdle(...ids: string[]): void {
    for (const id of ids) {
      const operation = this.on(id);
      if (operation) throw conflict(`another operation is in progress on ${id} (${operation.kind})`);
    }
  }

  /** Throws 409 when one of the ids is going away. */
  requireStaying(...ids: string[]): void {
    for (const id of ids) {
      if (this.on(id)?.kind === "delete") throw conflict(`${id} is being deleted`);
    }
  }

  clear(): void {
    this.#running = [];
  }

  #finish(operation: Operation): void {
    finishers.get(operation.kind)?.(operation, this.#world);
  }
}
