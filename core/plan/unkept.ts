import { markUnkept } from "../fields/unkept.ts";
import type { Concern } from "./overlay.ts";

const isNew = "the server has not answered yet";

/** Changes that the server may itself have caused by not keeping what was sent. */
export const unkept: Concern = {
  name: "unkept",
  compare: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: ({ answers }, { base }, changes) =>
      base?.live ? markUnkept(base.kind.fields, changes, (path) => answers.show(base.kind, path)) : changes,
  },
};
