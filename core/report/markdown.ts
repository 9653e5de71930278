import { counted, escapeControl } from "../values/text.ts";
import type { ShownChange, ListItem, List, Losses, ShownSubject } from "./block.ts";
import { type Line, linesOf } from "./lines.ts";
import { code, codeBlock, fold, plain, table } from "./markdown-text.ts";

/** GitHub accepts comments of up to 65,536 characters; only two parts of a comment are long. */
const longestPart = 25_000;

/** With its plan, a report of this length fits into a comment. */
const longestReport = 10_000;

/** A list as Markdown, and the command that answers all of it; nothing where it is empty. */
export function listMarkdown({ heading, items, end }: List): string[] {
  if (items.length === 0) return [];
  const { shown, left } = fitting(items.map(itemMarkdown), (item) => item.length);
  const lines = [...shown.map((item) => `- ${item}`), ...(left === 0 ? [] : [`- … and ${left} more`])];
  return [
    [`**${heading}:**`, "", ...lines].join("\n"),
    ...(end ? [`**${end.heading}** ${code(end.command)}`] : []),
  ];
}

function itemMarkdown({ subject, text, isCode, advice }: ListItem): string {
  const shown = isCode ? code(text) : plain(text);
  return `${subject ? `${subjectMarkdown(subject)}: ` : ""}${shown}${advice === undefined ? "" : `<br>${plain(advice)}`}`;
}

/** Losses as a warning, with every resource that is deleted. */
export function lossesMarkdown({ resources }: Losses, most: number): string[] {
  if (resources.length === 0) return [];
  const lines = resources.slice(0, most).map((each) => `> - ${subjectMarkdown(each)} ${plain(each.fate)}`);
  const more = resources.length > most ? [`> - … and ${resources.length - most} more`] : [];
  return [["> [!CAUTION]", ...lines, ...more].join("\n")];
}

/** Changes as a table, as many as fit into a comment. */
export function changeTable(changes: readonly ShownChange[]): string {
  const rows = changes.map((each) => [code(each.symbol), subjectMarkdown(each), plain(each.remark ?? "")]);
  const { shown, left } = fitting(rows, (cells) => cells.join(" | ").length);
  return table(["", "Resource", ""], shown) + (left === 0 ? "" : `\n\n… and ${left} more.`);
}

/** The details of changes in a fold, coloured as a difference; nothing where there are none. */
export function detailsMarkdown(changes: readonly ShownChange[]): string[] {
  const lines = changes.flatMap((change) => {
    if (change.details.length === 0) return [];
    const { symbol, diffSymbol, kind, reference } = change;
    const first = symbol === diffSymbol ? symbol : `${diffSymbol} ${symbol}`;
    return [`${first} ${escapeControl(`${kind} ${reference}`)}`, ...detailLines(change)];
  });
  if (lines.length === 0) return [];
  const { shown, left } = fitting(lines, (line) => line.length + 1);
  const more = left === 0 ? [] : [`  … and ${counted(left, "more line")}`];
  return [fold("Field by field", codeBlock([...shown, ...more], "diff"))];
}

/** Each line begins with the character that colours it, so that no text of a manifest does. */
function detailLines({ details, isWhole, diffSymbol }: ShownChange): string[] {
  return details.flatMap((detail) => {
    const isLost = detail.detail === "things" && detail.isLost;
    const symbol = isLost ? "-" : isWhole ? diffSymbol : " ";
    return linesOf(detail).map((line) => coloured(line, symbol));
  });
}

function coloured({ text, isInner, kind }: Line, symbol: string): string {
  const isSigned = symbol === " " && (kind === "added" || kind === "removed");
  if (isSigned) return `${text.slice(0, 1)}       ${text.slice(1)}`;
  return `${symbol}     ${isInner && text !== "" ? "  " : ""}${text}`;
}

/** Lines of a report as a block of code; its last lines sum it up, and stay. */
export function reportMarkdown(lines: readonly string[]): string {
  const end = lines.slice(-3);
  const { shown, left } = fitting(lines.slice(0, -3), (line) => line.length + 1, longestReport);
  const more = left === 0 ? [] : [`… and ${counted(left, "more line")}`];
  return `**Result:**\n\n${codeBlock([...shown, ...more, ...end], "")}`;
}

function subjectMarkdown({ kind, reference }: ShownSubject): string {
  return `${kind} ${code(reference)}`;
}

/** The first parts, as many as fit, and how many do not. */
function fitting<Part>(
  parts: readonly Part[],
  lengthOf: (part: Part) => number,
  room = longestPart,
): { shown: Part[]; left: number } {
  let length = 0;
  const end = parts.findIndex((part) => (length += lengthOf(part)) > room);
  return end < 0 ? { shown: [...parts], left: 0 } : { shown: parts.slice(0, end), left: parts.length - end };
}
