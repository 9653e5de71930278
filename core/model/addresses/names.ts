/** Equal for names that are equal to the API, or that look equal: `é` is one character or two. */
export function nameKey(name: string): string {
  const lower = name.toLowerCase();
  return isAscii.test(lower) ? lower : lower.normalize("NFC");
}

// oxlint-disable-next-line no-control-regex
const isAscii = /^[\u0000-\u007F]*$/;

/** Truncated names are longer than that. */
const shortestCut = 30;

/** Whether a server may have rewritten a name: `Nightly Report` became `nightly-report`, or a long name was cut. */
export function mayBeRewritten(desired: string, live: string): boolean {
  if (nameKey(desired) === nameKey(live)) return false;
  const [whole, found] = [folded(desired), folded(live)];
  if (found === "") return false;
  return whole === found || (found.length >= shortestCut && whole.startsWith(found));
}

/** Shorter common parts prove nothing, unless a space or punctuation delimits them. */
const shortestShared = 3;

/** Whether a live name may be the document's, rewritten, prefixed, suffixed or cut: `orders-main`, but `pr-1` is not `pr-10`. */
export function mayBeRenamed(desired: string, live: string): boolean {
  if (mayBeRewritten(desired, live)) return true;
  const [shorter = "", longer = ""] = [words(desired), words(live)].toSorted(
    (one, other) => one.length - other.length,
  );
  const start = longer.length - shorter.length;
  if (shorter === "" || start === 0) return false;
  return (
    (longer.startsWith(shorter) && isSeam(longer, shorter.length, shorter)) ||
    (longer.endsWith(shorter) && isSeam(longer, start, shorter))
  );
}

/** Whether a name may be delimited at a place within another one. */
function isSeam(longer: string, at: number, shorter: string): boolean {
  const seam = longer.slice(at - 1, at + 1);
  return seam.includes("-") || (shorter.length >= shortestShared && !/^\p{N}{2}$/u.test(seam));
}

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
