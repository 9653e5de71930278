import { CST, Lexer } from "yaml";

/** A member of a mapping or an element of a list, with the comments and spaces around it. */
export type Item = CST.CollectionItem;

export type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

type Tokens = CST.Token | Item | readonly (CST.Token | Item)[];

export function commentsAmong(tokens: Tokens): string[] {
  if (Array.isArray(tokens)) return tokens.flatMap((each: CST.Token | Item) => commentsAmong(each));
  if ("type" in tokens && tokens.type === "comment") return [tokens.source.trimEnd()];
  const inside = ["start", "key", "sep", "value", "props", "items", "end"].map(
    (member) => (tokens as unknown as Record<string, Tokens | null | undefined>)[member],
  );
  return inside.flatMap((each) => (each ? commentsAmong(each) : []));
}

/** The comments of a YAML text, in order. The lexer knows some that the parser drops. */
export function commentsIn(text: string): string[] {
  return [...new Lexer().lex(text)].flatMap((lexeme) =>
    CST.tokenType(lexeme) === "comment" ? [lexeme.trimEnd()] : [],
  );
}

/** The members or elements of a collection. A trailing comma and comments at its end are items of the syntax only. */
export function partsOf({ items }: Collection): Item[] {
  return (items as Item[]).filter(
    ({ start, key, sep, value }) =>
      key || sep || value || start.some(({ type }) => isMark(type) || type === "explicit-key-ind"),
  );
}

/** Gives each item the spaces before it and the line break behind it, which the parser gives to its neighbours if it is empty. */
export function settleLines({ items }: CST.BlockMap | CST.BlockSequence): void {
  for (const [index, item] of (items as Item[]).entries()) {
    if (item.value && isBlock(item.value)) settleLines(item.value);
    const last = lastOfEmpty(item);
    const next = items[index + 1];
    if (!last || !next) continue;
    const [token, before] = [last.at(-1), last.at(-2)];
    if (token?.type === "space" && before?.type === "newline") next.start.unshift(...last.splice(-1));
    else if (token?.type === "comment" && next.start[0]?.type === "newline")
      last.push(...next.start.splice(0, 1));
  }
}

function lastOfEmpty({ start, sep, value }: Item): CST.SourceToken[] | undefined {
  if (!value) return sep ?? start;
  const last = isBlock(value) ? value.items.at(-1) : undefined;
  return last && lastOfEmpty(last);
}

/** Whether a token belongs to a value that may be empty: the dash or colon before it, its anchor, its tag. */
export function isMark(type: CST.SourceToken["type"]): boolean {
  return ["seq-item-ind", "map-value-ind", "anchor", "tag"].includes(type);
}

export function isBlock(collection: CST.Token): collection is CST.BlockMap | CST.BlockSequence {
  return collection.type === "block-map" || collection.type === "block-seq";
}

export function isCollection(token: CST.Token | undefined): token is Collection {
  return token !== undefined && (isBlock(token) || token.type === "flow-collection");
}

/** The style of new lines in a text. */
export class Style {
  /** `\r\n` where the text has it. */
  readonly newline: string;
  /** Whether the dashes of lists are indented below their keys. */
  readonly indentSeq: boolean;

  constructor(text: string) {
    this.newline = text.includes("\r\n") ? "\r\n" : "\n";
    this.indentSeq = !/^( *)(?! |-|#)[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n\1- /m.test(text);
  }

  /** A token for any text. @param text its lines end with `\n` */
  token(text: string): CST.SourceToken {
    return { type: "space", offset: -1, indent: -1, source: text.replaceAll("\n", this.newline) };
  }
}

/** Indented lines; empty ones stay empty. */
export function indented(text: string, column: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(column));
}
