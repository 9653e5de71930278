// Writes the highest figures of the project into docs/reference/features.md, and the score of its tests into
// docs/explanation/reliability.md.
import { readFileSync } from "node:fs";
import figures from "../size/figures.json" with { type: "json" };
import { table, writeSections } from "./section.ts";

const rows = Object.entries({ "lines of source": figures.sum, ...figures.counts }).map(([name, count]) => [
  name.replaceAll("_", " "),
  String(count),
]);

interface Score {
  date: string;
  count: number;
  noticed: number;
}

const lines = readFileSync(new URL("../../docs/mutations.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const scores = lines
  .map((line) => JSON.parse(line) as Score)
  .map(({ date, count, noticed }) => [date, String(count), `${Math.round((noticed / count) * 100)} %`]);

writeSections([
  { page: "reference/features.md", name: "counts", text: table(["What", "At most"], rows) },
  {
    page: "explanation/reliability.md",
    name: "mutations",
    text: table(["Date", "Changes", "Noticed"], scores),
  },
]);
