import { withoutCredentials } from "../../core/redaction/credential-forms.ts";
import type { Position, AnyProblem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";
import { withoutRepetition } from "./problem-groups.ts";
import { consentLine } from "./consent-flags.ts";
import { adviceOf } from "./remedies.ts";
import { counted, indent } from "./text.ts";
import { fitted } from "./width.ts";

/** A longer line is cut to this many characters around the position. */
const shownWidth = 110;

/**
 * Problems that have stopped a command, sorted by file and position, each with the line and advice.
 *
 * @param width the width of the terminal; absent: there is none
 * @param typed the command line that was refused; absent: unknown
 */
export function renderProblems(
  problems: readonly AnyProblem[],
  colors: Colors,
  width?: number,
  typed?: TypedCommand,
): string {
  const files = new Set(problems.flatMap(({ position }) => position?.file ?? []));
  const where = files.size > 1 ? ` in ${counted(files.size, "file")}` : "";
  const shown = withoutRepetition(problems);
  const consent = consentLine(problems, typed);
  const reported = shown.filter(({ code }) => code !== "omitted").length;
  const count = `${counted(reported, "problem")}${reported < shown.length ? " and more" : ""}`;
  return [
    renderProblemList(shown, colors, width),
    ...(shown.length > 1 ? [`${count}${where}; nothing has been changed`] : []),
    ...(consent ? [fitted(`${consent.heading}\n  ${withoutCredentials(consent.command)}`, width)] : []),
  ].join("\n\n");
}

/** Problems, sorted by file and position, each with the line and advice. */
export function renderProblemList(problems: readonly AnyProblem[], colors: Colors, width?: number): string {
  return problems
    .toSorted(
      (left, right) => isCount(left) - isCount(right) || comparePositions(left.position, right.position),
    )
    .map((problem) => renderProblem(problem, colors, width))
    .join("\n\n");
}

/** 1 for the one that counts all others of a run, which comes last. */
function isCount({ code, position }: AnyProblem): number {
  return Number(code === "omitted" && position === undefined);
}

function renderProblem(problem: AnyProblem, colors: Colors, width: number | undefined): string {
  const { message, position } = problem;
  const advice = adviceOf(problem);
  return [
    fitted(`${placeOf(position)}${colors.red(colors.bold("error:"))} ${shownText(message)}`, width),
    ...(position ? [excerpt(position, colors)] : []),
    ...(advice === undefined ? [] : [fitted(indent(shownText(advice), 2), width)]),
  ].join("\n");
}

/** A sentence that may repeat an argument or a URL. */
function shownText(text: string): string {
  return escapeControl(withoutCredentials(text));
}

/** `shop.yaml:4:7: `, in front of a message. */
export function placeOf(position: Position | undefined): string {
  return position ? `${escapeControl(position.file)}:${position.line}:${position.column}: ` : "";
}

function excerpt({ line, column, text }: Position, colors: Colors): string {
  const characters = [...text];
  const start =
    column > shownWidth - 20 ? Math.max(0, Math.min(column - 40, characters.length - shownWidth)) : 0;
  const shown = (from: number, to?: number) =>
    escapeControl(characters.slice(from, to).join("").replaceAll("\t", " "));
  const [head, tail] = [start > 0 ? "…" : "", characters.length > start + shownWidth ? "…" : ""];
  const before = head + shown(start, column - 1);
  const margin = `  ${line} | `;
  return [
    (colors.dim(margin) + before + shown(column - 1, start + shownWidth) + tail).trimEnd(),
    colors.dim(`${" ".repeat(margin.length - 2)}| `) + " ".repeat([...before].length) + colors.red("^"),
  ].join("\n");
}

/** By file, line and column; problems without a position come first. */
function comparePositions(left: Position | undefined, right: Position | undefined): number {
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return left.file === right.file
    ? left.line - right.line || left.column - right.column
    : left.file < right.file
      ? -1
      : 1;
}
