import stringWidth from "string-width";

/** `1 service`, `3 services`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : plural(noun)}`;
}

function plural(noun: string): string {
  return noun.endsWith("s") ? "es" : "s";
}

/** A text with spaces after it, up to a width in columns of the terminal: wide characters take two. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** The columns of the widest of these texts. */
export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}

/** Every line of a text moved to the right. */
export function indent(text: string, spaces: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(spaces) + line))
    .join("\n");
}

/** A duration in milliseconds as a person reads it: `0.4 s`, `58 s`, `4 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** The time left until a date: `58 s`, `43 min`. Servers give dates in whole seconds, so the result may be 1 s too low. */
export function timeLeft(until: Date, now: number): string {
  const seconds = Math.max(1, Math.floor((until.getTime() - now) / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Joins words to lines of at most `width` characters; a longer word has a line of its own. */
export function wrap(words: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

/**
 * Breaks lines that are longer than `width` between words; what follows stands below the text of the line. Without a
 * width, the text stays as it is: only a terminal breaks lines.
 */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => (stringWidth(line) <= width ? line : broken(line, width)))
    .join("\n");
}

function broken(line: string, width: number): string {
  const [start = ""] = /^ */.exec(line) ?? [];
  const next = `${start}  `;
  const lines: string[] = [];
  let current = start;
  // A column of spaces inside a line stays with the word before it.
  for (const word of line.slice(start.length).match(/\S+\s*/g) ?? []) {
    if (current.trim() !== "" && stringWidth(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = next;
    }
    current += word;
  }
  return [...lines, current.trimEnd()].join("\n");
}
