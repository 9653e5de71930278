/** A rule for oxlint: no name has a private word where the field has another, and no type or file is named by a participle. */
import { basename } from "node:path";
import words from "./field-words.json" with { type: "json" };

/** The field's word for each forbidden word. */
const fieldWords: Readonly<Record<string, string>> = { ...words.everywhere, ...words.names };

/** Words that only types and files may not have: variables keep them as Pulumi's word or plain English. */
const ofTypes = new Set(["kept", "mark", "marks", "news"]);

const irregular = new Set(
  "been done found given gone held known left made put said seen sent shown stood taken written".split(" "),
);

/** Nouns that look like participles. */
const nouns = new Set(
  "autoscaling casing cloning encoding feed listing mapping meaning naming need paging planning pricing routing seed setting sibling spelling string thing warning".split(
    " ",
  ),
);

const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+/g)].map(([word]) => word.toLowerCase());

const isParticiple = (word: string): boolean =>
  irregular.has(word) || (/(?:ed|ing)$/.test(word) && !nouns.has(word));

function mistakeInWords(name: string, isListed = (word: string) => Object.hasOwn(fieldWords, word)) {
  const listed = wordsOf(name).find(isListed);
  return listed && `"${name}": the field says "${fieldWords[listed]}" in place of "${listed}"`;
}

/** The mistake in the name of a member, a function, a variable or a parameter; undefined: none. */
export const mistakeInValue = (name: string): string | undefined =>
  mistakeInWords(name, (word) => Object.hasOwn(fieldWords, word) && !ofTypes.has(word));

/** The mistake in the name of a type or a file; undefined: none. */
export function mistakeInName(name: string): string | undefined {
  const mistake = mistakeInWords(name);
  if (mistake !== undefined) return mistake;
  const last = wordsOf(name).at(-1);
  return last !== undefined && isParticiple(last)
    ? `"${name}" is named by the participle "${last}": name it by a noun`
    : undefined;
}

const inTexts = Object.entries({ ...words.everywhere, ...words.texts }).map(
  ([phrase, instead]) => [new RegExp(`(?<![\\w\`#/.-])${phrase}(?![\\w\`-])`, "i"), instead] as const,
);

/** The mistake in a text for people: a message, a comment, a page; undefined: none. */
export function mistakeInText(text: string): string | undefined {
  for (const [pattern, instead] of inTexts) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return `"${found}" in a text: the field says "${instead}"`;
  }
  return undefined;
}

interface Name {
  name?: string;
}

interface Declaration {
  id?: Name | null;
  key?: Name;
  params?: readonly Name[];
}

interface Text {
  value?: unknown;
}

interface Context {
  filename: string;
  sourceCode: { getAllComments(): readonly Text[] };
  report(finding: { node: unknown; message: string }): void;
}

function create(context: Context): Record<string, (node: Declaration) => void> {
  const judge = (node: unknown, name: string | undefined, mistakeIn: typeof mistakeInName) => {
    const message = name === undefined ? undefined : mistakeIn(name);
    if (message !== undefined) context.report({ node, message });
  };
  const type = (node: Declaration) => judge(node, node.id?.name, mistakeInName);
  const value = (node: Declaration) => judge(node, node.id?.name, mistakeInValue);
  const member = (node: Declaration) => judge(node, node.key?.name, mistakeInValue);
  const callable = (node: Declaration) => {
    value(node);
    for (const parameter of node.params ?? []) judge(parameter, parameter.name, mistakeInValue);
  };
  return {
    Program: (node) => judge(node, basename(context.filename).replace(/\..*$/, ""), mistakeInName),
    TSTypeAliasDeclaration: type,
    TSInterfaceDeclaration: type,
    ClassDeclaration: type,
    VariableDeclarator: value,
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: callable,
    PropertyDefinition: member,
    MethodDefinition: member,
    TSPropertySignature: member,
    TSMethodSignature: member,
  };
}

/** Messages, by their blanks, and comments. */
function createForTexts({ sourceCode, report }: Context): Record<string, (node: Text) => void> {
  const judge = (node: Text, text: unknown) => {
    const message = typeof text === "string" && text.includes(" ") ? mistakeInText(text) : undefined;
    if (message !== undefined) report({ node, message });
  };
  return {
    Program: () => sourceCode.getAllComments().forEach((comment) => judge(comment, comment.value)),
    Literal: (node) => judge(node, node.value),
    TemplateElement: (node) => judge(node, (node.value as { cooked?: string }).cooked),
  };
}

export default {
  meta: { name: "field-words" },
  rules: { names: { create }, texts: { create: createForTexts } },
};
