import { expect, test } from "vitest";
import { mistakeInText } from "../../tools/lint/field-words.ts";
import { proseOf, readPages } from "./markdown.ts";

const most = 40;

test(`no cell of a table has more than ${most} words`, () => {
  const cells = readPages().flatMap(({ name, lines }) =>
    lines.flatMap((line, index) =>
      line.startsWith("|")
        ? line
            .split(/(?<!\\)\|/)
            .map((cell) => ({ at: `${name}:${index + 1}`, words: cell.split(/\s+/).filter(Boolean).length }))
        : [],
    ),
  );
  expect(cells.length).toBeGreaterThan(1000);
  expect(cells.filter(({ words }) => words > most)).toEqual([]);
});

test("no page has a private word where the field has another", () => {
  const mistakes = readPages().flatMap((page) =>
    proseOf(page).flatMap(({ text, line }) => {
      const mistake = mistakeInText(text.replaceAll(/`[^`]*`/g, ""));
      return mistake === undefined ? [] : [`${page.name}:${line}: ${mistake}`];
    }),
  );
  expect(mistakes).toEqual([]);
  expect(mistakeInText("The services are in step.")).toContain("synced");
});
