import { type AnyAddress, formatReference } from "./address.ts";
import { fitsName, fitsNames } from "../../values/glob.ts";
import { nameKey } from "./names.ts";
import { type Kind, kindAdvice, kindCalled, kindSlugs, kinds, referenceForm } from "../kinds/index.ts";
import { InvalidInputError } from "../../problems/problem.ts";
import type { Mistake } from "../../source/mistake.ts";

/**
 * Matches resources by address, as in `--target`: `job:shop/staging/nightly-*`, `shop/staging/**`. `*` stands for any
 * part of a name, `**` for any number of names; other characters are literal; without a kind, all kinds match; case is
 * ignored.
 */
export interface Pattern {
  text: string;
  /** Whether the pattern matches the resource of an address. */
  matches(address: AnyAddress): boolean;
  /** Whether it may match contents of the resource with these names. */
  readsInside(names: readonly string[]): boolean;
  /** Whether it names a kind, also partly. */
  namesKind?(kind: Pick<Kind, "slug">): boolean;
}

/** Reads the pattern of a person's choice; a rule has a `Scope`. @throws InvalidInputError if none can match it */
export function parsePattern(text: string): Pattern {
  const [, word = "*", names = ""] = /^(?:([a-z*]+):)?(.*)$/is.exec(text) ?? [];
  const kind = kindCalled(word)?.slug ?? word;
  const parts = names.split("/");
  const mistake = mistakeOf(kind, parts);
  if (mistake !== undefined)
    throw new InvalidInputError([{ code: "pattern", ...mistake, message: `"${text}" ${mistake.message}` }]);
  const keys = parts.map((part) => nameKey(part));
  const isKind = (slug: string) => fitsName(nameKey(kind), nameKey(slug));
  return {
    text,
    matches({ kind: { slug }, names: its }) {
      return isKind(slug) && fitsNames(keys, keysOf(its));
    },
    readsInside(outer) {
      const open = parts.indexOf(anyNames);
      const fixed = open === -1 ? keys : keys.slice(0, open);
      if (open === -1 && parts.length <= outer.length) return false;
      const shared = Math.min(fixed.length, outer.length);
      return fitsNames(fixed.slice(0, shared), keysOf(outer.slice(0, shared))) || shared === 0;
    },
    namesKind: ({ slug }) => kind !== "*" && isKind(slug),
  };
}

const form =
  "a pattern is an address, with * for anything within a name and ** for any names: job:shop/staging/*";

/** Why no resource can match a pattern, which would then protect nothing without notice. */
function mistakeOf(kind: string, parts: readonly string[]): Mistake | undefined {
  if (parts.length === 1 && parts[0] === "") return { message: "is not a pattern", advice: form };
  if (parts.some((part) => part !== part.trim()))
    return {
      message: "begins or ends with a blank",
      advice: "leave it out: no name begins or ends with one",
    };
  if (kind === "*" && parts[0] === ".")
    return {
      message: "begins with ./, like the path of a file",
      advice: `write ${parts.slice(1).join("/")}`,
    };
  if (parts.includes("")) return { message: "has an empty name in it", advice: form };
  const chosen = kinds.filter(({ slug }) => fitsName(nameKey(kind), slug));
  const [only, second] = chosen;
  if (only === undefined) {
    const advice = kindAdvice(kind, kindSlugs);
    return {
      message: `begins with "${kind}:", which is not a kind`,
      advice: `${advice} (*: before a name with a colon in it)`,
    };
  }
  const named = parts.filter((part) => part !== anyNames).length;
  const isOpen = named < parts.length;
  const fits = ({ depth }: Kind) => (isOpen ? named <= depth + 1 : named === depth + 1);
  return chosen.some(fits)
    ? undefined
    : {
        message: "has too few or too many names in it",
        advice: second ? form : `write ${only.slug}:${referenceForm(only)}`,
      };
}

const anyNames = "**";

function keysOf(names: readonly string[]): string[] {
  return nameKey(formatReference(names)).split("/");
}
