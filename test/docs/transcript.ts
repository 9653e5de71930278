/** A command of a `console` block, with its expected output. */
export interface Step {
  command: string;
  output: string[];
  exitCode: number;
  /** It keeps running during the following commands, as in another terminal. */
  isBeside: boolean;
  /** Index of its first line in the block. */
  start: number;
  /** Index of the line after its output. */
  end: number;
}

/** The commands of a `console` block. Throws when the block does not start with a command. */
export function stepsOf(lines: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (const [index, line] of lines.entries()) {
    const step = steps.at(-1);
    if (line.startsWith("$ ")) steps.push(stepOf(line.slice(2), index));
    else if (step === undefined) throw new Error(`a console block begins with a command, not with "${line}"`);
    else if (step.output.length === 0 && /^> ?/.test(line)) {
      step.command += `\n${line.replace(/^> ?/, "")}`;
      step.end = index + 1;
    } else {
      step.output.push(line);
      step.end = index + 1;
    }
  }
  return steps;
}

function stepOf(typed: string, start: number): Step {
  const [, exit] = /\s+# exit (\d+)$/.exec(typed) ?? [];
  const isBeside = /\s+# in a terminal of its own$/.test(typed);
  return {
    command: typed.replace(/\s+# (?:exit \d+|in a terminal of its own)$/, ""),
    output: [],
    exitCode: Number(exit ?? 0),
    isBeside,
    start,
    end: start + 1,
  };
}

/** Matches any text within a line; alone on a line it matches any lines. */
export const anything = "…";

/**
 * Whether an output matches a page: `…` alone on a line matches any lines, within a line any text. Neighbouring lines of
 * progress match in any order, because the requests of a wave end in any order.
 */
export function matches(expected: readonly string[], actual: readonly string[]): boolean {
  return matchesInOrder(withSortedProgress(expected), withSortedProgress(actual));
}

const progress = /^\[\d+\/\d+\] /;

function withSortedProgress(lines: readonly string[]): string[] {
  const sorted: string[] = [];
  for (let start = 0; start < lines.length;) {
    const length = lines.slice(start).findIndex((line) => !progress.test(line));
    const end = length === 0 ? start + 1 : length === -1 ? lines.length : start + length;
    const counts = lines.slice(start, end).map((line) => progress.exec(line)?.[0] ?? "");
    const texts = lines
      .slice(start, end)
      .map((line) => line.replace(progress, ""))
      .toSorted();
    sorted.push(...texts.map((text, index) => `${counts[index]}${text}`));
    start = end;
  }
  return sorted;
}

function matchesInOrder(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0;
  if (first.trim() === anything) {
    return actual.some((_, index) => matchesInOrder(rest, actual.slice(index))) || matchesInOrder(rest, []);
  }
  const [line, ...others] = actual;
  return line !== undefined && matchesLine(first, line) && matchesInOrder(rest, others);
}

/** Whether a line matches a line of the page. */
export function matchesLine(expected: string, actual: string): boolean {
  const parts = expected
    .trimEnd()
    .split(anything)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`).test(actual.trimEnd());
}

/** The lines of an output, without empty lines at the end. */
export function outputLines(text: string): string[] {
  const trimmed = text.trimEnd();
  return trimmed === "" ? [] : trimmed.split("\n").map((line) => line.trimEnd());
}
