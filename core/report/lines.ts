import { counted, escapeControl, wrap } from "../values/text.ts";
import type { Detail, FieldRow, Things } from "./block.ts";
import type { DifferenceLine } from "./difference.ts";

/** A line of text below the name of a change. */
export interface Line {
  text: string;
  isInner: boolean;
  kind: DifferenceLine["kind"];
}

/** The longest lines of a list, before the list is indented. */
const listWidth = 96;
const listIndentation = 8;
/** Values are aligned in a column; paths longer than this do not widen it. */
const pathColumn = 44;

/** A detail as lines of text; control characters are escaped. No `columns`: there is no terminal. */
export function linesOf(detail: Detail, columns = Infinity, arrow = "->"): Line[] {
  const wrapped = (text: string) =>
    nested(wrap(escapeControl(text).split(" "), Math.min(listWidth, columns - listIndentation)).split("\n"));
  if (detail.detail === "note") return wrapped(`note: ${detail.text}`);
  if (detail.detail === "fields") return rowLines(detail.rows, arrow);
  const { heading, groups, words } = detail;
  return wrapped(`${heading}: ${[...groups.map(groupText), ...words].join(", ")}`);
}

/** Things of one sort in words: `2 variables (DB_URL, DB_USER)`. */
export function groupText({ what, names }: Things): string {
  const separator = names.some((name) => name.includes(", ")) ? "; " : ", ";
  return `${counted(names.length, escapeControl(what))} (${names.map(escapeControl).join(separator)})`;
}

/** Fields, one a line: `cpu  500m -> 1000m`; long texts below. */
function rowLines(rows: readonly FieldRow[], arrow: string): Line[] {
  const lengths = rows.map(({ path }) => escapeControl(path).length).filter((length) => length <= pathColumn);
  const width = Math.max(0, ...lengths);
  return rows.flatMap(({ path, before, after, note, text, difference }): Line[] => {
    const name = escapeControl(path);
    if (difference) return [line(name), ...difference.map((each) => ({ ...each, isInner: true }))];
    if (text !== undefined) return nested([name, ...text.trimEnd().split("\n").map(escapeControl)]);
    const value = before === undefined ? (note ?? after) : `${before} ${arrow} ${after}`;
    return [line(`${name.padEnd(width)}  ${value}`)];
  });
}

function nested(texts: readonly string[]): Line[] {
  return texts.map((text, index) => line(text, index > 0));
}

function line(text: string, isInner = false): Line {
  return { text, isInner, kind: "same" };
}
