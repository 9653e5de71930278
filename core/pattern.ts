import picomatch from "picomatch";
import { InvalidInputError } from "./problem.ts";

/**
 * A choice of resources by address, as in `--target`: `job:shop/staging/nightly-*`, `shop/staging/**`. `*` stands
 * for anything within a name, `**` for any number of names; without a kind, any kind; case is ignored.
 */
export interface Pattern {
  text: string;
  /** Whether it chooses the resource of that address: `job:shop/staging/nightly-report`. */
  matches(address: string): boolean;
}

/** Reads a pattern. @throws InvalidInputError when it is empty. */
export function parsePattern(text: string): Pattern {
  const [, kind = "*", names = ""] = /^(?:([a-z*]+):)?(.*)$/is.exec(text) ?? [];
  if (names === "") {
    throw new InvalidInputError([
      {
        message: `"${text}" is no pattern`,
        advice:
          "a pattern is an address, with * for anything within a name and ** for any names: job:shop/staging/*",
      },
    ]);
  }
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
