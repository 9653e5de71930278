import type { CycleResult, FailureOfCycle } from "../journal/index.ts";

/** Observes the cycles of a service, each after the journal. Times are in milliseconds since 1970. */
export interface Observer {
  checking?(): void;
  /** @param next when the next cycle is due */
  ended(cycle: CycleResult, next: number): Promise<void> | void;
  /** @param failures the number of failed cycles in a row */
  failed?(failure: FailureOfCycle, failures: number, next: number): Promise<void> | void;
}
