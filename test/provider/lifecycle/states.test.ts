import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";

/** A resource of a stack as an earlier commit has left it in the state. */
interface Recorded {
  kind: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
}

const config = new Map([
  ["infrasync:baseUrl", "http://127.0.0.1:1"],
  ["infrasync:token", "token"],
]);

describe.each(["7040c2e", "b3a10d59"])("a stack of %s", (commit) => {
  const lines = readFileSync(join(import.meta.dirname, "states", `${commit}.jsonl`), "utf8")
    .trim()
    .split("\n");
  test.each(lines.map((line) => JSON.parse(line) as Recorded))(
    "its $kind does not change",
    async ({ kind, id, inputs, outputs }) => {
      const lifecycle = new Lifecycle({}, () => {});
      const checked = await lifecycle.check(kind, inputs, inputs, config);
      expect(checked).toEqual({ inputs, failures: [] });
      expect(await lifecycle.diff(kind, id, outputs, checked.inputs, config, "urn recorded")).toMatchObject({
        changes: false,
        replaces: [],
      });
    },
  );
});
