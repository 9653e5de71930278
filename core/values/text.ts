/** Makes control, format and separator characters and lone surrogates visible, in one line for a terminal, log or table. */
export function escapeControl(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const short = shortEscapes[character];
    if (short !== undefined) return short;
    const hexadecimal = (character.codePointAt(0) ?? 0).toString(16);
    return hexadecimal.length > 4 ? `\\u{${hexadecimal}}` : `\\u${hexadecimal.padStart(4, "0")}`;
  });
}

/** Cuts a text after `limit` characters, and says so with an ellipsis. Never cuts a character in two. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A time limit as a person says it: `0.2 s`, `90 s`, `5 min`. */
export function timeLimit(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 100 ? `${Math.round(seconds * 10) / 10} s` : `${Math.round(seconds / 6) / 10} min`;
}

const shortEscapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The article of a name: `an Application`. */
export function article(name: string): string {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

/** `A`, `A and B`, `A, B and C`. */
export function inSentence(words: readonly string[], last = "and"): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(` ${last} `);
}

/** The first five of many names, for a sentence that has their number. */
export function firstOf(names: readonly string[]): string {
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ", …" : "");
}

/** `a, b, c and 4 more`. */
export function firstNamed(names: readonly string[], most = 3, joint = ", "): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).join(joint) + more;
}

/** `1 service`, `3 services`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  return noun.endsWith("s") ? `${noun}es` : noun.replace(/y?$/, (end) => (end === "y" ? "ies" : "s"));
}

/** Every line of a text moved to the right. */
export function indent(text: string, spaces: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(spaces) + line))
    .join("\n");
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

/** `40 s`, `57 min`, `5 h`, `3 days`. */
export function span(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`;
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** The time left until a date: `58 s`, `43 min`. Servers give dates in whole seconds, so the result may be 1 s too low. */
export function timeLeft(until: Date, now: number): string {
  const seconds = Math.max(1, Math.floor((until.getTime() - now) / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
