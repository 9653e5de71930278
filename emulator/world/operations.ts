import type { Clock } from "./clock.ts";
import { conflict } from "../http/errors.ts";
import type { Actor } from "./events.ts";

/** Something that takes time. It is data, so that it survives a restart. */
export interface Operation {
  kind: OperationKind;
  /** Ids of all that no other operation may touch meanwhile. */
  holds: string[];
  /** Ids of what it makes, removes or deploys. */
  subjects: string[];
  /** Which part of it is under way, where it has parts. */
  phase?: string;
  /** Who asked for it. */
  actor: Actor;
  /** Unix milliseconds at which it, or this part of it, is over. */
  endsAt: number;
}

export type OperationKind = "clone" | "delete" | "deployment";

type Finish = (operation: Operation) => void;

/** The time, and who acts. */
interface Context {
  readonly clock: Clock;
  actor: Actor;
}

// The longest that a timer of the platform can wait.
const LONGEST_WAIT = 2 ** 31 - 1;

/** What is under way. Time alone ends it: `settle` ends all that is due, and a timer calls it. */
export class Operations {
  readonly #context: Context;
  readonly #finishers = new Map<OperationKind, Finish>();
  readonly #running = new Set<Operation>();
  readonly #byHeldId = new Map<string, Set<Operation>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Says what happens when operations of a kind are over. */
  onFinish(kind: OperationKind, finish: Finish): void {
    this.#finishers.set(kind, finish);
  }

  /** Starts an operation; one that takes no time is over on return. */
  start(operation: Omit<Operation, "endsAt" | "actor">, milliseconds: number): void {
    const { clock, actor } = this.#context;
    this.#add({ ...operation, actor, endsAt: clock.now() + milliseconds });
    this.settle();
  }

  /** Stops an operation without ending it. */
  abandon(operation: Operation): void {
    this.#running.delete(operation);
    for (const id of operation.holds) {
      const holders = this.#byHeldId.get(id);
      holders?.delete(operation);
      if (holders?.size === 0) this.#byHeldId.delete(id);
    }
  }

  /** Ends what is due, in order of time, each as of its own time and in the name of who asked for it. */
  settle(): void {
    for (let due = this.#firstDue(); due; due = this.#firstDue()) {
      this.abandon(due);
      this.#finish(due);
    }
    this.#wakeUp();
  }

  /** Every operation that holds one of these ids. */
  on(...ids: string[]): Operation[] {
    return [...new Set(ids.flatMap((id) => [...(this.#byHeldId.get(id) ?? [])]))];
  }

  /** Throws 409 while an operation holds one of the ids. */
  requireIdle(...ids: string[]): void {
    for (const id of ids) {
      const [operation] = this.on(id);
      if (!operation) continue;
      throw conflict(`another operation is in progress on ${id}: ${operation.kind}; try again later`);
    }
  }

  /** Throws 409 when one of the ids is going away. */
  requireStaying(...ids: string[]): void {
    const leaving = ids.find((id) => this.isLeaving(id));
    if (leaving !== undefined)
      throw conflict(`another operation is in progress: ${leaving} is being deleted`);
  }

  isLeaving(id: string): boolean {
    return this.on(id).some(({ kind }) => kind === "delete");
  }

  toJSON(): Operation[] {
    return [...this.#running];
  }

  /** Forgets what is under way, and goes on with these instead. */
  restore(operations: Operation[]): void {
    this.#running.clear();
    this.#byHeldId.clear();
    for (const operation of operations) this.#add(operation);
    this.#wakeUp();
  }

  /** Lets time end nothing more by itself. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #add(operation: Operation): void {
    this.#running.add(operation);
    for (const id of operation.holds) {
      this.#byHeldId.set(id, (this.#byHeldId.get(id) ?? new Set()).add(operation));
    }
  }

  #finish(operation: Operation): void {
    const context = this.#context;
    const { actor } = context;
    context.actor = operation.actor;
    context.clock.asOf(operation.endsAt, () => this.#finishers.get(operation.kind)?.(operation));
    context.actor = actor;
  }

  #firstDue(): Operation | undefined {
    const first = this.#first();
    return first && first.endsAt <= this.#context.clock.now() ? first : undefined;
  }

  #first(): Operation | undefined {
    let first: Operation | undefined;
    for (const operation of this.#running) {
      if (!first || operation.endsAt < first.endsAt) first = operation;
    }
    return first;
  }

  /** Sees to it that what is due ends without a request, as webhooks want it. */
  #wakeUp(): void {
    clearTimeout(this.#timer);
    const { clock } = this.#context;
    const first = this.#first();
    if (!first || clock.frozen) return;
    const wait = Math.max(0, first.endsAt - clock.now());
    this.#timer = setTimeout(() => this.settle(), Math.min(wait, LONGEST_WAIT)).unref();
  }
}
