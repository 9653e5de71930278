/**
 * A rule for oxlint: a type or a file has the name of a thing. It is not named by a participle (`Told`, `left-out.ts`),
 * and contains no private word for which the field has another.
 */
import { basename } from "node:path";

/** The field's word for each forbidden word. */
const fieldWords: Readonly<Record<string, string>> = {
  allowance: "budget",
  asked: "requested",
  audience: "observer",
  begun: "started",
  deed: "entry",
  fight: "drift loop",
  glance: "summary",
  hands: "cache",
  kept: "cached or stored",
  look: "refresh",
  looker: "reader",
  looking: "refresh",
  looks: "refreshes",
  news: "event",
  occupant: "existing resource",
  shelf: "cache",
  stated: "declared",
  told: "reported",
  unkept: "normalized",
  wanted: "desired",
  wish: "request",
};

const irregular = new Set(
  "been done found given gone held known left made put said seen sent shown stood taken written".split(" "),
);

/** Nouns that look like participles. */
const nouns = new Set(
  "autoscaling casing cloning encoding feed listing mapping meaning naming need paging planning pricing routing seed setting sibling spelling string thing warning".split(
    " ",
  ),
);

/** The lower-case words of a name in camel case or with hyphens. */
const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+/g)].map(([word]) => word.toLowerCase());

const isParticiple = (word: string): boolean =>
  irregular.has(word) || (/(?:ed|ing)$/.test(word) && !nouns.has(word));

/** The mistake in the name of a type or a file; undefined: none. */
export function mistakeInName(name: string): string | undefined {
  const words = wordsOf(name);
  const listed = words.find((word) => Object.hasOwn(fieldWords, word));
  if (listed !== undefined)
    return `"${name}": the field says "${fieldWords[listed]}" in place of "${listed}"`;
  const last = words.at(-1);
  return last !== undefined && isParticiple(last)
    ? `"${name}" is named by the participle "${last}": name it by a noun`
    : undefined;
}

interface Declaration {
  id: { name: string } | null;
}

interface Context {
  filename: string;
  report(finding: { node: unknown; message: string }): void;
}

function create(context: Context): Record<string, (node: Declaration) => void> {
  const judge = (node: unknown, name: string) => {
    const message = mistakeInName(name);
    if (message !== undefined) context.report({ node, message });
  };
  const declaration = (node: Declaration) => {
    if (node.id !== null) judge(node, node.id.name);
  };
  return {
    Program: (node) => judge(node, basename(context.filename).replace(/\..*$/, "")),
    TSTypeAliasDeclaration: declaration,
    TSInterfaceDeclaration: declaration,
    ClassDeclaration: declaration,
  };
}

export default { meta: { name: "field-words" }, rules: { names: { create } } };
