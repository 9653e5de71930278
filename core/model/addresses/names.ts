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

/** Shorter parts of names prove nothing, unless a space or punctuation ends them. */
const shortestShared = 3;

/**
 * Whether a live resource may be the one that a document names: the server has rewritten the name, or somebody has put
 * something before or after it, or cut it. `orders` may have become `orders-main`, but `pr-1` is not `pr-10`.
 */
export function mayBeRenamed(wanted: string, live: string): boolean {
  if (mayBeRewritten(wanted, live)) return true;
  const [shorter = "", longer = ""] = [words(wanted), words(live)].toSorted(
    (one, other) => one.length - other.length,
  );
  const start = longer.length - shorter.length;
  if (shorter === "" || start === 0) return false;
  return (
    (longer.startsWith(shorter) && isSeam(longer, shorter.length, shorter)) ||
    (longer.endsWith(shorter) && isSeam(longer, start, shorter))
  );
}

/** Whether a name may end or begin at a place within another one. */
function isSeam(longer: string, at: number, shorter: string): boolean {
  const seam = longer.slice(at - 1, at + 1);
  return seam.includes("-") || (shorter.length >= shortestShared && !/^\p{N}{2}$/u.test(seam));
}

/** A name in lower case, its words joined by hyphens. */
function words(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}

function folded(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
