import { expect, test } from "vitest";
import { programStateOf } from "../../../../core/execution/session/index.ts";
import { kindOf } from "../../../../core/model/kinds/index.ts";

test("a resource that a server reports as its own parent is in no other resource", () => {
  const kind = kindOf("environment");
  const state = programStateOf({ kind, parentId: "project", name: "staging", declared: {} });
  const itself = { kind, id: "odd", name: "odd", parentId: "odd", fields: {}, response: {} };
  state.enter(undefined, "project", { resources: [itself], unknown: [] });
  expect(state.isWithin("odd", "odd")).toBe(true);
  expect(state.isWithin("odd", "project")).toBe(false);
});
