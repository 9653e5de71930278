import { describe, test } from "vitest";
import { edits, expectKept, processes } from "./ownership.ts";

describe.each(Object.keys(edits) as (keyof typeof edits)[])("%s with adopt", (edit) => {
  describe.each(Object.keys(processes) as (keyof typeof processes)[])("%s", (where) => {
    test.for([false, true])(
      "with changed inputs: %s, every live resource stays",
      async (isChanged, context) => expectKept(context, edit, where, isChanged),
    );
  });
});
