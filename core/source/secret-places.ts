import { shorten } from "../values/text.ts";
import { show } from "./mistake.ts";

/** Whether a member of that name has secrets: by their keys, or is one itself. */
export type HoldsSecrets = (member: string) => "keys" | "value" | undefined;

/** By its name alone, where no schema describes the member. */
export const namedLikeSecrets: HoldsSecrets = (member) =>
  /secret|passw|token|credential|private_?key/i.test(member) ? "value" : undefined;

/**
 * Whether a place of a YAML text is inside a member with secrets, and whether a key there names one; by indentation,
 * because a text with a mistake has no values.
 */
export function secretPlace(
  text: string,
  offset: number,
  holdsSecrets: HoldsSecrets,
): { isKeyName: boolean } | undefined {
  const end = text.indexOf("\n", offset);
  const lines = text.slice(0, end === -1 ? text.length : end).split("\n");
  const last = lines.pop() ?? "";
  const before = last.slice(0, offset - (text.lastIndexOf("\n", offset - 1) + 1));
  const [, opened] = /([\w.$-]+)["']?:\s*\{[^{}]*$/.exec(before) ?? [];
  const first = keysIn(last).find((key) => holdsSecrets(key));
  if (first !== undefined) return { isKeyName: opened !== undefined && holdsSecrets(opened) === "keys" };
  let indent = indentOf(last);
  let nearest: string | undefined = opened;
  for (const line of lines.toReversed()) {
    if (line.startsWith("---")) return undefined;
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const isOpen = /[{[,]\s*(?:#.*)?$/.test(line);
    if (indentOf(line) >= indent && !isOpen) continue;
    const keys = keysIn(line);
    nearest ??= keys.at(-1);
    if (keys.some((key) => holdsSecrets(key)))
      return { isKeyName: nearest !== undefined && holdsSecrets(nearest) === "keys" };
    indent = Math.min(indent, indentOf(line));
  }
  return undefined;
}

function indentOf(line: string): number {
  return /^[\s]*(?:- )?/.exec(line)?.[0].length ?? 0;
}

function keysIn(line: string): string[] {
  return [...line.matchAll(/(?:^|[\s{,["'])([\w.$-]+)["']?:(?=[\s]|$)/g)].flatMap(([, key]) => key ?? []);
}

/** The words of a text that a message of the parser may quote: anchors, tags and other pieces of a line. */
export function wordsIn(text: string): string[] {
  return text.split(/[\s"',:{}[\]*&!|>=]+/).filter(({ length }) => length > 1);
}

export function withoutWords(words: readonly string[], sentence: string): string {
  const forms = words.flatMap((word) => [word, show(word), shorten(word, 60)]);
  return [...new Set(forms)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, word) => shown.replaceAll(word, "…"), sentence);
}
