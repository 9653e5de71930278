/**
 * Equal for names that are the same to the API, and for those that nobody can tell apart: `é` is one character or two.
 */
export function nameKey(name: string): string {
  const lower = name.toLowerCase();
  return isAscii.test(lower) ? lower : lower.normalize("NFC");
}

// oxlint-disable-next-line no-control-regex
const isAscii = /^[\u0000-\u007F]*$/;

/** Names that are cut off are longer than that. */
const shortestCut = 30;

/**
 * Whether a server may have turned one name into the other: they differ only in case, spaces, punctuation and accents,
 * or one is cut off. `Nightly Report` may have become `nightly-report`.
 */
export function mayBeRewritten(wanted: string, live: string): boolean {
  if (nameKey(wanted) === nameKey(live)) return false;
  const [whole, found] = [folded(wanted), folded(live)];
  if (found === "") return false;
  return whole === found || (found.length >= shortestCut && whole.startsWith(found));
}

function folded(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
