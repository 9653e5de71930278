import { shorten } from "../text.ts";
import { show } from "./mistake.ts";

/** Whether a member of that name has secrets inside. */
export type HoldsSecrets = (member: string) => boolean;

/** By its name alone, where no schema says what a member is. */
export const namedLikeSecrets: HoldsSecrets = (member) =>
  /secret|passw|token|credential|private_?key/i.test(member);

/**
 * Whether a place of a YAML text is inside a member that has secrets. Asked of the text and not of its values, because a text
 * with a mistake has none: a line belongs to the keys above it that are indented less, and to those before it on the line.
 */
export function isSecretPlace(text: string, offset: number, holdsSecrets: HoldsSecrets): boolean {
  const end = text.indexOf("\n", offset);
  const lines = text.slice(0, end === -1 ? text.length : end).split("\n");
  const last = lines.pop() ?? "";
  if (keysIn(last).some(holdsSecrets)) return true;
  let indent = indentOf(last);
  for (const line of lines.toReversed()) {
    if (line.startsWith("---")) return false;
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const isOpen = /[{[,]\s*(?:#.*)?$/.test(line);
    if (indentOf(line) >= indent && !isOpen) continue;
    if (keysIn(line).some(holdsSecrets)) return true;
    indent = Math.min(indent, indentOf(line));
  }
  return false;
}

function indentOf(line: string): number {
  return /^[\s]*(?:- )?/.exec(line)?.[0].length ?? 0;
}

function keysIn(line: string): string[] {
  return [...line.matchAll(/(?:^|[\s{,["'])([\w.$-]+)["']?:(?=[\s]|$)/g)].flatMap(([, key]) => key ?? []);
}

/** A sentence without the words of a value: those of the parser quote anchors, tags and other pieces of a line. */
export function withoutWordsOf(value: string, sentence: string): string {
  const words = value.split(/[\s"',:{}[\]*&!|>]+/).filter(({ length }) => length > 1);
  const forms = words.flatMap((word) => [word, show(word), shorten(word, 60)]);
  return [...new Set(forms)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, word) => shown.replaceAll(word, "…"), sentence);
}
