// npm run check:size: fails if a room, all sources together or a count is above its figure in tools/size/figures.json.
// With --lower it writes the present figures, unless the sum or a count has risen.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { counts } from "./counts.ts";
import { linesByRoom } from "./lines.ts";

/** The highest permitted figures: lines of source in all and by room, and counts by name. */
interface Figures {
  sum: number;
  rooms: Record<string, number>;
  counts: Record<string, number>;
}

// npm runs scripts in the folder of the checkout.
const checkout = process.cwd();
const file = path.join(checkout, "tools", "size", "figures.json");
const figures = JSON.parse(readFileSync(file, "utf8")) as Figures;

const rooms = linesByRoom(checkout);
const sum = Object.values(rooms).reduce((total, lines) => total + lines, 0);
const present: Figures = { sum, rooms: sorted(rooms), counts: await counts() };

const isLowering = process.argv.includes("--lower");
const above = [
  ...risen({ "lines of source": sum }, { "lines of source": figures.sum }),
  ...risen(present.counts, figures.counts),
  // If the sum is below its figure, lines of one room may have moved into another.
  ...(isLowering ? [] : risen(rooms, figures.rooms, "lines of ")),
];
for (const line of above) console.error(line);
if (above.length > 0) {
  console.error(
    "A feature that comes names the one that goes, or the figure is raised by a commit that says why: tools/size/figures.json.\n" +
      "After a move from one room to another: npm run check:size -- --lower",
  );
  process.exitCode = 1;
} else if (isLowering) writeFileSync(file, `${JSON.stringify(present, undefined, 2)}\n`);
console.log(`${sum} lines of source, of ${figures.sum}`);

function risen(
  found: Readonly<Record<string, number>>,
  allowed: Readonly<Record<string, number>>,
  what = "",
): string[] {
  // The sum counts a new room; --lower gives it a figure.
  return Object.entries(found)
    .filter(([name, count]) => count > (allowed[name] ?? Infinity))
    .map(
      ([name, count]) => `${what}${name.replaceAll("_", " ")}: ${count}, and the figure is ${allowed[name]}`,
    );
}

function sorted(record: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
