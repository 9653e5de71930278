// Nearly all manifests use a small part of YAML: mappings and lists by indentation, texts and numbers on one line, comments. Reading that
// part takes a tenth of what the parser takes. Whatever else a text has (anchors, tags, flow collections over several lines, tabs, any mistake) leaves it
// to the parser as a whole, so that there is one judge of mistakes. test/core/source/plain.property.test.ts holds that both read the same.
import { type Fields, type Json, setOwn } from "../json.ts";
import { flowValue } from "./plain-flow.ts";
import { PlaceRecorder } from "./plain-places.ts";
import { plainScalar, quotedScalar, withoutEnd } from "./plain-scalars.ts";
import type { OffsetOf, SourceDocument } from "./source-document.ts";
import { fillIn, plainValue, type Variables } from "./variables.ts";

/**
 * The documents of a YAML text that has nothing but the usual; undefined for another text, which needs the parser.
 *
 * @param variables the values of `${NAME}`; without them, texts stay as they are
 */
export function readPlain(text: string, variables?: Variables): SourceDocument[] | undefined {
  if (!isUsual(text)) return undefined;
  const reader = new PlainReader(text, variables);
  const documents: SourceDocument[] = [];
  while (reader.hasNext) {
    const { start, value } = reader.document();
    if (reader.hasRefused) return undefined;
    let places: PlaceRecorder | undefined;
    const offsetOf: OffsetOf = (path, at) => {
      places ??= placesOf(text, start);
      return places.offsetOf(path, at);
    };
    documents.push({ value, holes: [], mistakes: [], start, offsetOf, offsetAgain: offsetOf });
  }
  // The parser finds an empty document in an empty text.
  return documents.length === 0 ? undefined : documents;
}

/** Whether a text has only line ends that the reader knows, and no character that YAML forbids in places. */
function isUsual(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\u0000-\u0009\u000B-\u001F\uFEFF]/.test(text) && text.isWellFormed();
}

function placesOf(text: string, start: number): PlaceRecorder {
  const places = new PlaceRecorder(start);
  new PlainReader(text, undefined, start, places).document();
  return places;
}

/** More characters could be more tokens than the parser accepts in a document. */
const maximumCharacters = 20_000;
const maximumLevels = 30;

/** A key and its colon. */
const keyPattern = /[A-Za-z_$][\w$./-]{0,200}:(?=[ \n]|$)/y;

/** Reads line by line. Once it meets something unusual it has refused the text, and what it returns has no meaning. */
class PlainReader {
  hasRefused = false;
  readonly #text: string;
  readonly #variables: Variables | undefined;
  readonly #places: PlaceRecorder | undefined;
  /** Of the line: the number of spaces before its content; -1 at the end of a document. */
  #indent = -1;
  /** Of the line: the offsets of its content and of its end. */
  #start = 0;
  #end = 0;
  /** The offset of the next line. */
  #next: number;
  #level = 0;

  constructor(text: string, variables?: Variables, start = 0, places?: PlaceRecorder) {
    this.#text = text;
    this.#variables = variables;
    this.#places = places;
    this.#next = start;
    this.#advance();
  }

  /** Whether there is another document. */
  get hasNext(): boolean {
    return !this.hasRefused && this.#start < this.#text.length;
  }

  /** Reads a document, from its first line or the `---` before it. */
  document(): { start: number; value: Json | undefined } {
    const start = this.#start - Math.max(0, this.#indent);
    if (this.#indent === -1) this.#advance();
    this.#places?.at(this.#start, false);
    const value = this.#indent === -1 ? undefined : this.#block(this.#indent);
    if (this.#indent !== -1 || this.#start - start > maximumCharacters) this.#refuse();
    return { start, value };
  }

  #refuse(): null {
    this.hasRefused = true;
    this.#indent = -1;
    this.#start = this.#next = this.#text.length;
    return null;
  }

  /** Goes to the next line with content, or to the `---` or the end of the text. */
  #advance(): void {
    const text = this.#text;
    for (;;) {
      const line = this.#next;
      let at = line;
      while (text.charCodeAt(at) === space) at += 1;
      if (at >= text.length) {
        this.#indent = -1;
        this.#start = text.length;
        return;
      }
      const newline = text.indexOf("\n", at);
      const end = newline === -1 ? text.length : newline;
      this.#next = end + 1;
      if (at === end || text.charCodeAt(at) === hash) continue;
      this.#indent = at - line;
      this.#start = at;
      this.#end = end;
      if (this.#indent === 0) this.#atMargin();
      return;
    }
  }

  /** Lines that begin at the margin can end a document. */
  #atMargin(): void {
    const text = this.#text;
    if (text.startsWith("---", this.#start)) {
      if (!/^--- *(?: #.*)?$/.test(text.slice(this.#start, this.#end))) this.#refuse();
      this.#indent = -1;
    } else if (text.startsWith("...", this.#start) || text.startsWith("%", this.#start)) this.#refuse();
  }

  /** A mapping or a list, of which the lines have that indentation. */
  #block(indent: number): Json {
    this.#level += 1;
    if (this.#level > maximumLevels) return this.#refuse();
    const value = this.#isElement(this.#start) ? this.#list(indent) : this.#mapping(indent);
    this.#level -= 1;
    return this.#indent >= indent ? this.#refuse() : value;
  }

  #mapping(indent: number): Fields {
    const fields: Fields = {};
    while (this.#indent === indent && !this.#isElement(this.#start)) {
      keyPattern.lastIndex = this.#start;
      const isKey = keyPattern.test(this.#text);
      const after = keyPattern.lastIndex;
      const key = this.#text.slice(this.#start, after - 1);
      if (!isKey || Object.hasOwn(fields, key)) {
        this.#refuse();
        return fields;
      }
      this.#places?.enter(key, this.#start, this.#start);
      setOwn(fields, key, this.#member(after, indent));
      this.#places?.leave();
    }
    return fields;
  }

  /** The value of a member: after its key, or in the lines below. */
  #member(after: number, indent: number): Json {
    const at = this.#content(after);
    if (at !== undefined) return this.#onLine(at, indent);
    this.#advance();
    if (this.#indent > indent) return this.#below();
    return this.#indent === indent && this.#isElement(this.#start) ? this.#list(indent) : null;
  }

  #below(): Json {
    this.#places?.at(this.#start, false);
    return this.#block(this.#indent);
  }

  #list(indent: number): Json[] {
    const list: Json[] = [];
    this.#places?.at(this.#start, false);
    while (this.#indent === indent && this.#isElement(this.#start)) {
      this.#places?.enter(list.length, undefined, this.#start);
      list.push(this.#element(indent));
      this.#places?.leave();
    }
    return list;
  }

  #element(indent: number): Json {
    const at = this.#content(this.#start + 1);
    if (at === undefined) {
      this.#advance();
      return this.#indent > indent ? this.#below() : this.#refuse();
    }
    keyPattern.lastIndex = at;
    if (!this.#isElement(at) && !keyPattern.test(this.#text)) return this.#onLine(at, indent);
    // What stands after the dash is the first line of a mapping or list, indented to there.
    this.#indent += at - this.#start;
    this.#start = at;
    return this.#below();
  }

  /** The value on the rest of the line, or the block of text that begins there. */
  #onLine(at: number, indent: number): Json {
    const line = withoutEnd(this.#text.slice(at, this.#end));
    const first = line.charAt(0);
    if (first === "|") return this.#blockText(line, at, indent);
    const value = first === "[" || first === "{" ? this.#flow(line, at) : this.#scalar(line);
    if (first !== "[" && first !== "{") this.#places?.at(at, value !== null);
    if (this.hasRefused) return null;
    this.#advance();
    // A deeper line would continue the text.
    return this.#indent > indent ? this.#refuse() : value;
  }

  #scalar(line: string): Json {
    const first = line.charAt(0);
    if (first === '"' || first === "'") {
      const scalar = quotedScalar(line);
      if (!scalar || !/^(?: +#.*)?$/.test(scalar.rest)) return this.#refuse();
      return this.#filled(scalar.value, false);
    }
    const comment = line.indexOf(" #");
    const text = comment === -1 ? line : withoutEnd(line.slice(0, comment));
    if (!/^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=\S))/.test(text) || text.endsWith(":") || text.includes(": "))
      return this.#refuse();
    const value = plainScalar(text);
    if (value === undefined) return this.#refuse();
    return typeof value === "string" ? this.#filled(value, true) : value;
  }

  #flow(line: string, at: number): Json {
    this.#places?.at(at, false);
    const read = flowValue(line, at, this.#places);
    if (!read || !/^(?: +#.*)?$/.test(line.slice(read.end))) return this.#refuse();
    // Variables are rare there.
    return this.#variables && line.includes("${") ? this.#refuse() : read.value;
  }

  /** The text in lines below `|` or `|-`. */
  #blockText(header: string, at: number, indent: number): Json {
    if (header !== "|" && header !== "|-") return this.#refuse();
    const lines: string[] = [];
    let depth = -1;
    for (;;) {
      const from = this.#next;
      const newline = this.#text.indexOf("\n", from);
      if (from >= this.#text.length) break;
      if (newline === -1) return this.#refuse();
      let content = from;
      while (this.#text.charCodeAt(content) === space) content += 1;
      if (content < newline) {
        if (depth === -1) depth = content - from;
        if (depth <= indent || content - from < depth) break;
      } else if (content - from > Math.max(depth, 0)) return this.#refuse();
      lines.push(content === newline ? "" : this.#text.slice(from + depth, newline));
      this.#next = newline + 1;
    }
    while (lines.at(-1) === "") lines.pop();
    if (lines.length === 0) return this.#refuse();
    this.#places?.at(at, true);
    this.#advance();
    if (this.#indent > indent) return this.#refuse();
    return this.#filled(`${lines.join("\n")}${header === "|" ? "\n" : ""}`, false);
  }

  #filled(text: string, isPlain: boolean): Json {
    if (!this.#variables || !text.includes("${")) return text;
    const filled = fillIn(text, this.#variables);
    if ("mistake" in filled) return this.#refuse();
    return isPlain ? plainValue(filled.text) : filled.text;
  }

  /** Whether an element of a list begins there. */
  #isElement(at: number): boolean {
    if (this.#text.charCodeAt(at) !== dash) return false;
    return at + 1 === this.#end || this.#text.charCodeAt(at + 1) === space;
  }

  /** The offset of what follows on the line; undefined where that is nothing or a comment. */
  #content(after: number): number | undefined {
    let at = after;
    while (this.#text.charCodeAt(at) === space) at += 1;
    return at >= this.#end || (at > after && this.#text.charCodeAt(at) === hash) ? undefined : at;
  }
}

const space = 32;
const hash = 35;
const dash = 45;
