import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { routes } from "../../emulator/routes.ts";

/** The descriptions of the API beside the checkout: both or none. */
const descriptions = ["facts.yaml", "facts-organization.yaml"]
  .map((name) => `../shared/api/${name}`)
  .filter((file) => existsSync(file));

const methods = new Set(["get", "post", "put", "delete", "patch"]);

/** The names of the variables of a path differ from one description to another. */
const operation = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`;

test.for(descriptions)("the emulator answers every operation of %s", (file) => {
  const { paths } = parse(readFileSync(file, "utf8")) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => methods.has(method))
      .map((method) => operation(method, path)),
  );
  const answered = new Set(routes.map(({ method, path }) => operation(method, path)));
  expect(described.length).toBeGreaterThan(100);
  expect(described.filter((each) => !answered.has(each))).toEqual([]);
});
