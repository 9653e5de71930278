import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allActionTypes } from "../../../../core/planning/plan/action-types.ts";

const type = `"(${allActionTypes.join("|")})"`;

/** How a file names types of actions: it compares one, switches over them, makes actions, or has a table of them. */
const namings = [
  new RegExp(String.raw`\btype\)? (===|!==) ${type}`),
  /switch \((action|own|outcome)?\.?type\)/,
  new RegExp(String.raw`\b(makeAction\(\{ )?type: ${type}`),
  new RegExp(String.raw`Type\.Literal\(${type}\)`),
  new RegExp(String.raw`actionId\(${type}`),
  /Record<(ActionType|(Action|Outcome)\["type"\]|Change\["action"\]),[^=\n]*> = \{$/m,
];

test("fewer than ten files name the types of actions, so that a new one touches no more", () => {
  const naming = globSync("{core,cli,reconciler,provider}/**/*.ts").filter((file) => {
    const text = readFileSync(file, "utf8");
    return file === "core/planning/plan/action-types.ts" || namings.some((pattern) => pattern.test(text));
  });
  expect(naming).toContain("core/execution/execute/perform.ts");
  expect(naming.length, naming.join("\n")).toBeLessThan(10);
});
