import { expect, test } from "vitest";
import { readPages } from "./markdown.ts";

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
