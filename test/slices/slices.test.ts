import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { slowReport } from "./report.ts";
import { commitOf, deal, sliceOf } from "./slices.ts";
import { slicedFiles, sliceLimit, slowFiles, slowGroups } from "./slow-files.ts";

const checkout = path.join(import.meta.dirname, "..", "..");

test("each slow file exists, and is in one group", () => {
  const names = slowFiles.map(({ name }) => name);
  const missing = names.filter((name) => !existsSync(path.join(checkout, "test", `${name}.test.ts`)));
  expect(missing).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("slices have every file once, and take about as long as one another", () => {
  const files = fc.uniqueArray(fc.record({ name: fc.string(), seconds: fc.integer({ min: 1, max: 100 }) }), {
    selector: ({ name }) => name,
  });
  fc.assert(
    fc.property(files, fc.integer({ min: 1, max: 500 }), (all, limit) => {
      const slices = deal(all, limit);
      expect(slices.flat().toSorted()).toEqual(all.map(({ name }) => name).toSorted());
      const seconds = new Map(all.map((file) => [file.name, file.seconds]));
      const times = slices.map((names) => names.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0));
      const longest = Math.max(0, ...seconds.values());
      expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(longest);
    }),
  );
});

test("a commit has one slice, and commits together have all of them", () => {
  const slices = deal(slicedFiles, sliceLimit);
  const commits = Array.from({ length: 100 }, (_, index) =>
    createHash("sha1").update(`${index}`).digest("hex"),
  );
  const chosen = commits.map((commit) => sliceOf(slices, undefined, commit)?.number);
  expect(commits.map((commit) => sliceOf(slices, undefined, commit)?.number)).toEqual(chosen);
  expect(new Set(chosen)).toEqual(new Set(slices.map((_, index) => index + 1)));
});

const three = [["a"], ["b", "c"], ["d"]];

test.for([
  ["all", "00000001", undefined],
  [undefined, undefined, undefined],
  [undefined, "00000001", 2],
  [undefined, "00000005", 3],
  ["1", "00000005", 1],
  ["3", undefined, 3],
] as const)("INFRASYNC_SLICE %s, commit %s: slice %s", ([wanted, commit, number]) => {
  const slice = sliceOf(three, wanted, commit);
  expect(slice).toEqual(
    number === undefined ? undefined : { number, of: 3, names: new Set(three[number - 1]) },
  );
});

test.for(["0", "4", "1.5", "", "first"])("INFRASYNC_SLICE %j is a mistake", (wanted) => {
  expect(() => sliceOf(three, wanted, undefined)).toThrow(
    `INFRASYNC_SLICE must be all or a number from 1 to 3, not "${wanted}"`,
  );
});

test("the commit is the one that is checked out; a folder without a repository has none", () => {
  const head = execFileSync("git", ["log", "-1", "--format=%H"], { cwd: checkout, encoding: "utf8" }).trim();
  expect(commitOf(checkout)).toBe(head);
  const folder = mkdtempSync(path.join(tmpdir(), "infrasync-slices-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(commitOf(folder)).toBeUndefined();
});

test("the report says why files are slow, and names those that no group has", () => {
  const [group] = slowGroups;
  const [name = ""] = Object.keys(group?.files ?? {});
  const seconds = new Map([
    [name, 61.4],
    ["cli/quick", 1],
    ["cli/new", 99.7],
  ]);
  const slice = { number: 2, of: 3, names: new Set([name]) };
  expect(slowReport(seconds, slice).split("\n")).toEqual([
    "Slow tests, slice 2 of 3, which the commit has chosen (INFRASYNC_SLICE=all runs all of them):",
    `  ${group?.why}:`,
    `    ${name} 61 s`,
    "  in no group of test/slices/slow-files.ts:",
    "    cli/new 100 s",
  ]);
  expect(slowReport(new Map([["cli/quick", 1]]), undefined)).toBe("Slow tests:");
});
