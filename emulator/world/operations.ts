import { LONGEST_WAIT, type WorldClock } from "./clock.ts";
import { HttpError } from "./errors.ts";
import type { Actor } from "./events.ts";

/** An operation that takes time. It is plain data, so that it survives a restart. */
export interface Operation {
  kind: "clone" | "delete" | "deployment" | "cluster" | "rule";
  /** Ids of resources that no other operation may use meanwhile. */
  holds: string[];
  /** Ids of resources that it creates, removes or deploys. */
  subjects: string[];
  phase?: string;
  actor: Actor;
  /** End of the operation or of its current stage, as Unix time in milliseconds. */
  endsAt: number;
}

type Finish = (operation: Operation) => void;

interface Context {
  readonly clock: WorldClock;
  actor: Actor;
  readonly behaviour: { readonly busy_status?: number };
}

/** Operations in progress. Only time ends them: `settle` ends all that are due, and a timer calls `settle`. */
export class Operations {
  readonly #context: Context;
  readonly #finishers = new Map<Operation["kind"], Finish>();
  readonly #running = new Set<Operation>();
  readonly #byHeldId = new Map<string, Set<Operation>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  onFinish(kind: Operation["kind"], finish: Finish): void {
    this.#finishers.set(kind, finish);
  }

  /** Starts an operation; one without a duration has ended on return. */
  start(operation: Omit<Operation, "endsAt" | "actor">, milliseconds: number): void {
    this.schedule(operation, milliseconds);
    this.settle();
  }

  /** Starts an operation that ends later, and settles nothing: the end of another operation may start it. */
  schedule(operation: Omit<Operation, "endsAt" | "actor">, milliseconds: number): void {
    const { clock, actor } = this.#context;
    this.#add({ ...operation, actor, endsAt: clock.now() + milliseconds });
    this.#wakeUp();
  }

  /** Cancels an operation without running its end. */
  abandon(operation: Operation): void {
    this.#running.delete(operation);
    for (const id of operation.holds) {
      const holders = this.#byHeldId.get(id);
      holders?.delete(operation);
      if (holders?.size === 0) this.#byHeldId.delete(id);
    }
  }

  /** Ends all due operations in order of time, each at its own time and as the actor who requested it. */
  settle(): void {
    for (let due = this.#firstDue(); due; due = this.#firstDue()) {
      this.abandon(due);
      this.#finish(due);
    }
    this.#wakeUp();
  }

  on(...ids: string[]): Operation[] {
    return [...new Set(ids.flatMap((id) => [...(this.#byHeldId.get(id) ?? [])]))];
  }

  requireIdle(...ids: string[]): void {
    for (const id of ids) {
      const [operation] = this.on(id);
      if (!operation) continue;
      throw this.#busy(` on ${id}: ${operation.kind}; try again later`);
    }
  }

  requireStaying(...ids: string[]): void {
    const leaving = ids.find((id) => this.isLeaving(id));
    if (leaving !== undefined) throw this.#busy(`: ${leaving} is being deleted`);
  }

  #busy(how: string): HttpError {
    const { busy_status = 409 } = this.#context.behaviour;
    return new HttpError(busy_status, `another operation is in progress${how}`);
  }

  isLeaving(id: string): boolean {
    return this.on(id).some(({ kind }) => kind === "delete");
  }

  toJSON(): Operation[] {
    return [...this.#running];
  }

  restore(operations: Operation[]): void {
    this.#running.clear();
    this.#byHeldId.clear();
    for (const operation of operations) this.#add(operation);
    this.#wakeUp();
  }

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
    return [...this.#running].toSorted((one, other) => one.endsAt - other.endsAt)[0];
  }

  /** Sets the timer, so that operations end and call webhooks without a request from a client. */
  #wakeUp(): void {
    clearTimeout(this.#timer);
    const { clock } = this.#context;
    const first = this.#first();
    if (!first || clock.frozen) return;
    const wait = Math.max(0, first.endsAt - clock.now());
    this.#timer = setTimeout(() => this.settle(), Math.min(wait, LONGEST_WAIT)).unref();
  }
}
