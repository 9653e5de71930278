import { expect, test } from "vitest";
import { worldOf } from "../../../../core/execution/session/index.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";

test("a resource that a server reports as its own parent is in no other resource", () => {
  const kind = kindOf("environment");
  const world = worldOf({ kind, parentId: "project", name: "staging", declared: {} });
  const itself = { kind, id: "odd", name: "odd", parentId: "odd", fields: {}, response: {} };
  world.enter(undefined, "project", { resources: [itself], unknown: [] });
  expect(world.isWithin("odd", "odd")).toBe(true);
  expect(world.isWithin("odd", "project")).toBe(false);
});
