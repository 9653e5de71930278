// Writes the highest figures that the project may have into docs/reference/features.md.
import figures from "../size/figures.json" with { type: "json" };
import { table, writeSections } from "./section.ts";

const rows = Object.entries({ "lines of source": figures.sum, ...figures.counts }).map(([name, count]) => [
  name.replaceAll("_", " "),
  String(count),
]);

writeSections([{ page: "reference/features.md", name: "counts", text: table(["What", "At most"], rows) }]);
