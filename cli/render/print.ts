import type {
  ShownChange,
  ChangeGroup,
  Detail,
  List,
  Losses,
  Section,
  Tone,
} from "../../core/report/block.ts";
import type { DifferenceLine } from "../../core/report/difference.ts";
import { linesOf } from "../../core/report/lines.ts";
import { escapeControl, wrap } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { indent } from "./text.ts";
import { padded, widest } from "./width.ts";

// Blocks as text for a terminal.

/** The longest lines of losses. */
const lossWidth = 96;
const nameWidth = 44;

/** A list as text, and the command that answers all of it; nothing where it is empty. */
export function listText({ heading, tone, items, end }: List, colors: Colors): string[] {
  if (items.length === 0) return [];
  const lines = items.map(({ subject, text, advice }) => {
    const name = subject ? `${subject.kind} ${subject.reference}: ` : "";
    return `  ${escapeControl(name + text)}${advice === undefined ? "" : `\n    ${escapeControl(advice)}`}`;
  });
  const first = tone === "plain" ? `${heading}:` : headingText(`${heading}:`, tone, colors);
  return [[first, ...lines].join("\n"), ...(end ? [`${end.heading}\n  ${end.command}`] : [])];
}

/** A heading in bold, and red where it stands above something bad. */
export function headingText(text: string, tone: Tone, colors: Colors): string {
  const bold = colors.bold(text);
  return tone === "bad" ? colors.red(bold) : bold;
}

/** The losses that nobody can restore; nothing where there are none. */
export function lossesText({ heading, resources }: Losses, most: number, colors: Colors): string[] {
  const final = resources.filter(({ lost }) => lost.length > 0);
  if (final.length === 0) return [];
  const lines = final.slice(0, most).map(({ kind, reference, lost }) => {
    const words = escapeControl(`${kind} ${reference}: ${lost.join(", ")}`).split(" ");
    return indent(wrap(words, lossWidth), 2);
  });
  const more = final.length > most ? [`  … and ${final.length - most} more`] : [];
  return [[headingText(`${heading}:`, "bad", colors), ...lines, ...more].join("\n")];
}

export function sectionsText(sections: readonly Section[], colors: Colors, columns?: number): string {
  const names = sections.flatMap(({ changes }) => changes.flatMap(namesOf));
  const width = Math.min(nameWidth, widest(names));
  return sections
    .map(({ heading, changes }) =>
      [
        ...(heading === undefined ? [] : [`${colors.bold(escapeControl(heading))}:`]),
        ...changes.map((change) => indent(changeText(change, width, colors, columns), 2)),
      ].join("\n"),
    )
    .join("\n\n");
}

function changeText(
  change: ShownChange | ChangeGroup,
  width: number,
  colors: Colors,
  columns: number | undefined,
): string {
  const remark = change.remark === undefined ? "" : `  ${escapeControl(change.remark)}`;
  const symbol = symbolText(change, colors);
  if (!("details" in change)) {
    const { title, where, fields } = change;
    const written = fields.length > 0 ? [indent(escapeControl(fields.join(", ")), 4)] : [];
    return [`${symbol} ${colors.bold(title)}${escapeControl(where)}${remark}`, ...written].join("\n");
  }
  const [name = ""] = namesOf(change);
  const space = remark === "" ? "" : padded(name, width).slice(name.length);
  const details = change.details.flatMap((detail) => detailText(detail, colors, columns));
  return [`${symbol} ${colors.bold(name)}${space}${remark}`, ...details].join("\n");
}

function namesOf(change: ShownChange | ChangeGroup): string[] {
  const subjects = "details" in change ? [change] : change.subjects;
  return subjects.map(({ kind, reference }) => escapeControl(`${kind} ${reference}`));
}

export function detailText(detail: Detail, colors: Colors, columns?: number): string[] {
  return linesOf(detail, columns, colors.dim("->")).map((line) =>
    indent(lineText(line, colors), line.isInner ? 6 : 4),
  );
}

export function lineText({ kind, text }: DifferenceLine, colors: Colors): string {
  const painted = { added: colors.green, removed: colors.red, hunk: colors.dim, same: String };
  return painted[kind](text);
}

/** The character before a change in its colour. */
export function symbolText({ symbol, tone }: Pick<ShownChange, "symbol" | "tone">, colors: Colors): string {
  const paints = { good: colors.green, note: colors.yellow, bad: colors.red, plain: colors.cyan };
  return paints[tone](symbol);
}
