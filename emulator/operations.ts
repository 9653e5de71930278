import type { Clock } from "./clock.ts";
import { conflict } from "./errors.ts";

/** Something that takes time. It is data, so that it survives a restart. */
export interface Operation {
  kind: OperationKind;
  /** Ids of all that no other operation may touch meanwhile. */
  holds: string[];
  /** Ids of what it makes, removes or deploys. */
  subjects: string[];
  /** Which part of it is under way, where it has parts. */
  phase?: string;
  /** Unix milliseconds at which it, or this part of it, is over. */
  endsAt: number;
}

export type OperationKind = "clone" | "delete" | "deployment";

type Finish = (operation: Operation) => void;

/** What is under way. Time alone ends it: `settle` ends all that is due, and a timer calls it. */
export class Operations {
  readonly #clock: Clock;
  readonly #finishers = new Map<OperationKind, Finish>();
  #running: Operation[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Says what happens when operations of a kind are over. */
  onFinish(kind: OperationKind, finish: Finish): void {
    this.#finishers.set(kind, finish);
  }

  /** Starts an operation; one that takes no time is over on return. */
  start(operation: Omit<Operation, "endsAt">, milliseconds: number): void {
    this.#running.push({ ...operation, endsAt: this.#clock.now() + milliseconds });
    this.settle();
  }

  /** Stops an operation without ending it. */
  abandon(operation: Operation): void {
    this.#running = this.#running.filter((other) => other !== operation);
  }

  /** Ends what is due, in order of time, each as of its own time. */
  settle(): void {
    for (let due = this.#firstDue(); due; due = this.#firstDue()) {
      const operation = due;
      this.abandon(operation);
      this.#clock.asOf(operation.endsAt, () => this.#finishers.get(operation.kind)?.(operation));
    }
    this.#wakeUp();
  }

  /** Every operation that holds one of these ids. */
  on(...ids: string[]): Operation[] {
    if (this.#running.length === 0) return [];
    const wanted = new Set(ids);
    return this.#running.filter(({ holds }) => holds.some((id) => wanted.has(id)));
  }

  /** Throws 409 while an operation holds one of the ids. */
  requireIdle(...ids: string[]): void {
    const [operation] = this.on(...ids);
    if (!operation) return;
    const held = ids.find((id) => operation.holds.includes(id));
    throw conflict(`another operation is in progress on ${held}: ${operation.kind}; try again later`);
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
    return this.#running;
  }

  /** Forgets what is under way, and goes on with these instead. */
  restore(operations: Operation[]): void {
    this.#running = [...operations];
    this.#wakeUp();
  }

  #firstDue(): Operation | undefined {
    const first = this.#first();
    return first && first.endsAt <= this.#clock.now() ? first : undefined;
  }

  #first(): Operation | undefined {
    const [head, ...tail] = this.#running;
    return head && tail.reduce((first, next) => (next.endsAt < first.endsAt ? next : first), head);
  }

  /** Sees to it that what is due ends without a request, as webhooks want it. */
  #wakeUp(): void {
    clearTimeout(this.#timer);
    const first = this.#first();
    if (!first || this.#clock.frozen) return;
    const wait = Math.max(0, first.endsAt - this.#clock.now());
    this.#timer = setTimeout(() => this.settle(), Math.min(wait, 2 ** 31 - 1)).unref();
  }
}
