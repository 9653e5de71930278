import type { CycleEnd } from "../decide/index.ts";
import type { CycleLine } from "./telling.ts";

/** Sees how the cycles of a service go. Times are in milliseconds since 1970. */
export interface Audience {
  checking(): void;
  /** @param isNews whether anything is different from the cycle before */
  ended(end: CycleEnd, told: CycleLine, isNews: boolean, next: number): Promise<void>;
  failed(reason: Record<string, string>, failures: number, next: number): Promise<void>;
  /** A look at the repository between two cycles has failed; absent: it is not told. */
  unread?(reason: Record<string, string>): Promise<void>;
  /** A look at the repository between two cycles has succeeded. */
  read?(): void;
}

/** Several who see how the cycles go, as one: each sees them in the order that is given. */
export function audiences(all: readonly Audience[]): Audience {
  return {
    checking() {
      for (const each of all) each.checking();
    },
    async ended(...args) {
      for (const each of all) await each.ended(...args);
    },
    async failed(...args) {
      for (const each of all) await each.failed(...args);
    },
    async unread(reason) {
      for (const each of all) await each.unread?.(reason);
    },
    read() {
      for (const each of all) each.read?.();
    },
  };
}
