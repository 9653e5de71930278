import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kinds } from "../../core/model/kinds/index.ts";

/** The modules that work with every kind and every part, and ask their definitions. */
const modules =
  "core/{state/live,planning/concerns,planning/plan,operations,deployments,execution/execute,execution/session,outputs/forms/saved-plan}/**/*.ts";

const parts = kinds.flatMap((kind) => kind.parts);
const names = new Set([
  // All modules work in the organization.
  ...kinds.filter(({ use }) => use !== "settings").flatMap(({ name, slug }) => [name, slug]),
  ...parts.flatMap(({ name, member }) => [name, member]),
]);

/** A line without what is no text: a path of an import, the code of a problem, the members of a type. */
const textOf = (line: string) =>
  line
    .replace(/\bfrom ".*"|\bcode: "secret"|\w\["\w+"\]|\b(?:Pick|Omit)<.*?>/g, "")
    .replace(/^\s*(\*|\/\/|\/\*).*/, "");

test.each(globSync(modules))("%s names no kind and no part", (file) => {
  const lines = readFileSync(file, "utf8").split("\n");
  const found = lines.filter((line) => {
    const literals = [...textOf(line).matchAll(/(["'`])((?:(?!\1).)*)\1/g)].map(([, , text = ""]) => text);
    return literals.some((text) => names.has(text) || [...names].some((name) => text.includes(`/${name}/`)));
  });
  expect(found).toEqual([]);
});
