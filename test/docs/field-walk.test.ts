import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { useHarness } from "../fixtures/use-harness.ts";
import { readPage } from "./markdown.ts";

const server = useHarness();

/** The files of the page in their order, each with the names to look at. */
const stops = readPage("docs/explanation/a-field-from-yaml-to-put.md").lines.flatMap((line) => {
  const [, file, names = ""] = /^\| \d+ \| `([^`]+)` \| ([^|]+) \|/.exec(line) ?? [];
  return file === undefined
    ? []
    : [{ file, names: [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name) }];
});

test("the page names ten files with what is in them, and each part of the walk goes by imports", () => {
  expect(stops).toHaveLength(10);
  const starts = new Set([
    "core/model/kinds/job.ts",
    "core/planning/plan/resource.ts",
    "core/operations/update.ts",
  ]);
  for (const [index, { file, names }] of stops.entries()) {
    const source = readFileSync(file, "utf8");
    for (const name of names) expect(source).toMatch(new RegExp(`^export .*\\b${name}\\b`, "m"));
    const earlier = stops.slice(0, index).map((stop) => readFileSync(stop.file, "utf8"));
    const [, base = ""] = /([^/]+)$/.exec(file) ?? [];
    expect([file, starts.has(file) || earlier.some((text) => text.includes(`/${base}"`))]).toEqual([
      file,
      true,
    ]);
  }
});

test("an update of one field runs the functions of the page", async () => {
  await server.reconcile(shop + job("a"));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await server.reconcile(shop + job("a", "cpu: 750"));
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const ran = new Set(
    result.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
        .map(({ functionName }) => `${url.split("/core/").at(-1)} ${functionName}`),
    ),
  );
  for (const { file, names } of stops.slice(3))
    for (const name of names) expect(ran).toContain(`${file.replace("core/", "")} ${name}`);
});
