import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

/** The operations of an API description, each with its first success status. */
function operationsOf(description: string): string[] {
  const { paths } = parse(readFileSync(description, "utf8"), { maxAliasCount: -1 }) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  return Object.entries(paths).flatMap(([route, operations]) =>
    Object.entries(operations).map(
      ([method, { responses }]) => `${method.toUpperCase()} ${route} ${Object.keys(responses)[0]}`,
    ),
  );
}

test("test/fixtures/operations.txt lists every operation of both API descriptions", () => {
  const described = ["facts.yaml", "facts-organization.yaml"].flatMap((file) =>
    operationsOf(`../shared/api/${file}`),
  );
  const listed = readFileSync("test/fixtures/operations.txt", "utf8").trimEnd().split("\n");
  expect(listed).toEqual([...new Set(described)].toSorted());
});
