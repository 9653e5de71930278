import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { measureExample } from "../bench/cached-runs.ts";
import { withPlace } from "../bench/place.ts";

/** The rows of the page, each with the runs of the benchmark that it is about. */
const told: readonly [row: string, runs: readonly string[]][] = [
  ["First plan; second plan", ["first plan", "second plan"]],
  ["Plan after somebody has changed a variable of one job", ["plan after somebody changed a variable"]],
  ["Apply of one changed variable, planning included", ["apply of one changed variable"]],
  [
    "Plan right after the first apply; after a deployment",
    ["plan right after the first apply", "plan after the deployment of a job"],
  ],
  [
    "From half a minute after that plan: the next one, and later ones",
    ["plan 33 s after it", "second plan 33 s after it"],
  ],
  ["`plan --destroy` after a plan, first and second", ["plan --destroy", "second plan --destroy"]],
  ["`destroy --yes`, planning included; it reads 106 lists again before it deletes", ["destroy after them"]],
  ["`status` of one environment", ["status of one environment"]],
  ["`preview delete` of a preview with six such jobs", ["preview delete"]],
];

test("the runs of the example cost as many requests as the page about the budget says", async () => {
  const page = await readFile("docs/guides/budget.md", "utf8");
  const rows = await withPlace(measureExample);
  const measured = told.map(([row, runs]) => [
    row,
    runs.map((run) => rows.find(({ what }) => what === run)?.requests),
  ]);
  const onPage = told.map(([row]) => {
    const figures = page.split("\n").find((line) => line.startsWith(`| ${row} |`));
    return [row, figures?.split("|").at(2)?.match(/\d+/g)?.map(Number)];
  });
  expect(measured).toEqual(onPage);
  const figure = (run: string) => rows.find(({ what }) => what === run)?.requests ?? 0;
  const atPrompt = figure("destroy after a minute at its prompt") - figure("destroy, planning included");
  const line = `| The same with a prompt, however late the answer | ${figure("destroy after them") + atPrompt} |`;
  expect(page).toContain(line);
}, 600_000);
