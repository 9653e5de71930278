import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as library from "../../core/index.ts";

test("the page about the library names every export, and nothing else", async () => {
  const page = await readFile(new URL("../../docs/reference/library.md", import.meta.url), "utf8");
  const [, lists = ""] = page.split("## Stable");
  const named = [...lists.matchAll(/`(\w+)`/g)].flatMap(([, name = ""]) => (name === "code" ? [] : [name]));
  expect(named.toSorted()).toEqual(Object.keys(library).toSorted());
});
