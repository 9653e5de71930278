import { distance } from "fastest-levenshtein";

/** Longer texts are no misspelt names, and comparing them is slow. */
const longestName = 64;

/** The most similar known name; undefined: none is similar enough. */
export function nearest(text: string, known: Iterable<string>): string | undefined {
  if (text.length > longestName) return undefined;
  const desired = plain(text);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const other = plain(name);
    const length = Math.max(desired.length, other.length);
    // A transposition costs one, because it is one typing mistake.
    const steps = isRearranged(desired, other)
      ? Math.min(1, distance(desired, other))
      : distance(desired, other);
    if (steps < bestDistance && steps <= Math.floor(length / 3)) {
      best = name;
      bestDistance = steps;
    }
  }
  if (best !== undefined || desired.length < 3) return best;
  const [first, second] = new Set([...known].filter((name) => plain(name).startsWith(desired)));
  return second === undefined ? first : undefined;
}

/** `did you mean NAME?`, or other advice where no known name is similar. */
export function meantOr(text: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(text, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

const mostListed = 8;

/** Advice on an unknown name: the probable one, all, or the nearest. @param offer to begin a list: `it may have` */
export function adviceOnName(text: string, known: readonly string[], offer: string): string {
  const near = nearest(text, known);
  if (near !== undefined) return `did you mean ${near}?`;
  if (known.length <= mostListed) return `${offer}: ${known.join(", ")}`;
  const steps = new Map(
    known.map((name) => [name, distance(plain(text.slice(0, longestName)), plain(name))]),
  );
  const nearer = known.toSorted((left, right) => (steps.get(left) ?? 0) - (steps.get(right) ?? 0));
  return `${offer}: ${nearer.slice(0, mostListed).join(", ")}, and ${known.length - mostListed} others`;
}

/** A name without case and separators, so that `maxNbRestart` and `max-nb-restart` match. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const sorted = (text: string) => [...text].toSorted().join("");

const isRearranged = (left: string, right: string) =>
  left.length === right.length && sorted(left) === sorted(right);

/** Whether a text is a name with two letters swapped, or with one letter too few or too many. */
export function isSlip(text: string, name: string): boolean {
  const isOneOff = Math.abs(text.length - name.length) === 1 && distance(text, name) === 1;
  return isOneOff || isRearranged(plain(text), plain(name));
}
