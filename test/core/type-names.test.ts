import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("an exported type has a name that no other exported type has", () => {
  const places = new Map<string, string[]>();
  for (const file of globSync("{adapters,core,cli,reconciler,provider}/**/*.ts")) {
    if (file.startsWith("provider/generated/") || file.includes("/checks/")) continue;
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  const twice = [...places].filter(([, files]) => files.length > 1);
  expect(twice).toEqual([]);
});
