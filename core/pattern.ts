import picomatch from "picomatch";

/**
 * A choice of resources by address, as in `--target`: `job:shop/staging/nightly-*`, `shop/staging/**`. `*` stands
 * for anything within a name, `**` for any number of names; without a kind, any kind; case is ignored.
 */
export interface Pattern {
  text: string;
  /** Whether it chooses the resource of that address: `job:shop/staging/nightly-report`. */
  matches(address: string): boolean;
}

/** Reads a pattern. */
export function parsePattern(text: string): Pattern {
  const [, kind = "*", names = ""] = /^(?:([a-z*]+):)?(.*)$/is.exec(text) ?? [];
  const matchesNames = picomatch(names, { nocase: true, dot: true });
  const matchesKind = picomatch(kind, { nocase: true });
  return {
    text,
    matches(address) {
      const colon = address.indexOf(":");
      return matchesKind(address.slice(0, colon)) && matchesNames(address.slice(colon + 1));
    },
  };
}
