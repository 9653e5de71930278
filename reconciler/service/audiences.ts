import type { Audience } from "./service.ts";

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
