import { expect, test } from "vitest";
import { refusalOfNode } from "../../../core/files/old-node.ts";

test.each([
  [{ node: "22.12.0" }, undefined],
  [{ node: "24.1.0", v8: "13" }, undefined],
  [
    { node: "22.11.0" },
    "infrasync needs Node 22.12 or newer, and this is Node 22.11.0: install a newer one from https://nodejs.org\n",
  ],
  // Deno says that it is a Node, and lacks parts of it.
  [
    { node: "24.2.0", deno: "2.9.6" },
    "infrasync needs Node 22.12 or newer, and this is Deno 2.9.6: run it with Node\n",
  ],
])("what runs programs is judged by its versions: %o", (versions, refusal) => {
  expect(refusalOfNode(versions)).toBe(refusal);
});
