import type { Action } from "./action.ts";

/** What an action that changes something has done to its resource, in a word. */
export const pastWords = {
  create: "created",
  clone: "cloned",
  update: "changed",
  replace: "replaced",
  delete: "deleted",
  deploy: "deployed",
} satisfies Record<Exclude<Action["type"], "none">, string>;
