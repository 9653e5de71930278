import { distance } from "fastest-levenshtein";

/** A text longer than this is no misspelt name, and comparing it would take long. */
const longestName = 64;

/** The known name that a misspelt one most probably stands for; undefined when none is near. */
export function nearest(text: string, known: Iterable<string>): string | undefined {
  if (text.length > longestName) return undefined;
  const wanted = plain(text);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const other = plain(name);
    const length = Math.max(wanted.length, other.length);
    // A transposition costs one, as it is one slip.
    const steps = isRearranged(wanted, other)
      ? Math.min(1, distance(wanted, other))
      : distance(wanted, other);
    if (steps < bestDistance && steps <= Math.floor(length / 3)) {
      best = name;
      bestDistance = steps;
    }
  }
  return best;
}

/** Names that differ by case and separators alone are the same slip: `maxNbRestart`, `max-nb-restart`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const sorted = (text: string) => [...text].toSorted().join("");

const isRearranged = (left: string, right: string) =>
  left.length === right.length && sorted(left) === sorted(right);
