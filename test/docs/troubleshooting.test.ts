import { expect, test } from "vitest";
import { errorCodes, outcomeCodes, problemMeanings } from "../../cli/error-codes.ts";
import { proseOf, readPage } from "./markdown.ts";

/** The rows of a table below a heading, without its header: cells of text. */
function rowsBelow(heading: string): string[][] {
  const lines = proseOf(readPage("docs/troubleshooting.md")).map(({ text }) => text);
  const start = lines.indexOf(`## ${heading}`) + 1;
  const length = lines.slice(start).findIndex((line) => line.startsWith("## "));
  const table = lines.slice(start, start + length).filter((line) => line.startsWith("|"));
  return table.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

test.each([
  { heading: "A command fails", codes: errorCodes },
  { heading: "A problem of the input or of the plan", codes: problemMeanings },
  { heading: "One action of a run fails", codes: outcomeCodes },
])("$heading: the page explains every code once, with a remedy", ({ heading, codes }) => {
  const rows = rowsBelow(heading);
  expect(rows.map(([code]) => code)).toEqual(Object.keys(codes).map((code) => `\`${code}\``));
  for (const row of rows)
    expect(row).toEqual([row[0], expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
});
