import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import figures from "../../tools/size/figures.json" with { type: "json" };
import { handWritten } from "../../tools/size/counts.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const tool = path.join(import.meta.dirname, "..", "..", "tools", "size", "index.ts");
let tree = "";

beforeEach(() => {
  tree = mkdtempSync(path.join(tmpdir(), "infrasync-size-"));
  for (const folder of ["core/planning", "core/model", "tools/size"])
    mkdirSync(path.join(tree, folder), { recursive: true });
  writeFileSync(path.join(tree, "core/planning/plan.ts"), "one\ntwo\nthree\n");
  writeFileSync(path.join(tree, "core/model/field.ts"), "one\n");
  writeFigures({ sum: 4, rooms: { "core/model": 1, "core/planning": 3 }, counts: figures.counts });
  execFileSync("git", ["init", "--quiet"], { cwd: tree });
  execFileSync("git", ["add", "."], { cwd: tree });
});

afterEach(() => removeFolder(tree));

test("a tree with as many lines as its figures passes, and fails with one line more", () => {
  expect(checkSize()).toEqual({ status: 0, errors: "" });
  appendFileSync(path.join(tree, "core/planning/plan.ts"), "four\n");
  expect(checkSize()).toEqual({
    status: 1,
    errors: [
      "lines of source: 5, and the figure is 4",
      "lines of core/planning: 4, and the figure is 3",
      "A feature that comes names the one that goes, or the figure is raised by a commit that says why: tools/size/figures.json.",
      "After a move from one room to another: npm run check:size -- --lower",
      "",
    ].join("\n"),
  });
  expect(checkSize("--lower").status).toBe(1);
  expect(readFigures().sum).toBe(4);
});

test("a file that has moved to another room needs lower figures of the other, which one command writes", () => {
  renameSync(path.join(tree, "core/model/field.ts"), path.join(tree, "core/planning/field.ts"));
  execFileSync("git", ["add", "--all"], { cwd: tree });
  expect(checkSize().errors).toContain("lines of core/planning: 4, and the figure is 3\n");
  expect(checkSize("--lower")).toEqual({ status: 0, errors: "" });
  expect(readFigures().rooms).toEqual({ "core/planning": 4 });
  expect(checkSize()).toEqual({ status: 0, errors: "" });
});

test("a count above its figure fails", () => {
  writeFigures({ ...readFigures(), counts: { ...figures.counts, flags: 1 } });
  expect(checkSize().errors).toMatch(/^flags: \d+, and the figure is 1\n/);
});

test.each(["parts", "exit codes", "parts-of-kinds"])("the generated section %s is not counted", (name) => {
  const page = `one <!-- ${name}: written by tools/docs/parts.ts -->two<!-- end of ${name} --> three`;
  expect(handWritten(page)).toEqual(["one", "three"]);
});

function checkSize(...args: string[]): { status: number | null; errors: string } {
  const { status, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: tree, encoding: "utf8" });
  return { status, errors: stderr };
}

function readFigures(): typeof figures {
  return JSON.parse(readFileSync(path.join(tree, "tools/size/figures.json"), "utf8"));
}

function writeFigures(written: { sum: number; rooms: object; counts: object }): void {
  writeFileSync(path.join(tree, "tools/size/figures.json"), JSON.stringify(written));
}
