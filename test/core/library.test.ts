import { expect, test } from "vitest";
import { readManifests } from "../../core/library.ts";

test("variables in a Map are refused, because its values would be ignored", async () => {
  const variables = new Map([["TAG", "1.4.2"]]) as unknown as Record<string, string>;
  await expect(readManifests(["."], { variables })).rejects.toThrow("variables is a Map");
});
