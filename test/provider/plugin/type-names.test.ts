import { expect, test } from "vitest";
import { singular } from "../../../tools/pulumi/schema/types.ts";

test.each([
  ["Ports", "Port"],
  ["Port", "Port"],
  ["Accesses", "Access"],
  ["Access", "Access"],
  ["Databases", "Database"],
])("the type of an element of %s is called %s", (list, element) => {
  expect(singular(list)).toBe(element);
});
