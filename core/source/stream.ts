import {
  Composer,
  type CST,
  type Document,
  Lexer,
  Parser,
  Schema,
  type ErrorCode,
  type YAMLError,
} from "yaml";
import { hopelessProblems, maximumDepth, maximumTokens } from "./limits.ts";
import type { Mistake, PlacedMistake } from "./mistake.ts";
import { escapeControl, shorten } from "../values/text.ts";
import { fileStandIn } from "./stand-ins.ts";

export interface YamlDocument {
  /** Its nodes; null: it is empty or could not be read. */
  root: Document.Parsed["contents"];
  /** The mistakes of the parser; with any, the nodes cannot be trusted. */
  mistakes: PlacedMistake[];
  start: number;
  end: number;
}

const options = {
  // One schema for all documents, because creating it takes a large part of the time of a small document.
  schema: new Schema({ schema: "core", resolveKnownTags: false, merge: false }),
  stringKeys: true,
  // The parser would compare each key with every other one; our own check for duplicates takes linear time.
  uniqueKeys: false,
  prettyErrors: false,
};

/** The documents of a YAML text, one in memory at a time. Ends with a mistake when one exceeds a limit. */
export function* readYaml(text: string): Generator<YamlDocument, void> {
  const standIn = fileStandIn(text);
  if (standIn) {
    const mistakes = [{ ...standIn, code: "unreadable" as const, message: `the file ${standIn.message}` }];
    yield { root: null, mistakes, start: 0, end: text.length };
    return;
  }
  const parser = new Parser();
  const composer = new Composer(options);
  const starts: number[] = [];
  let tokens = 0;
  let stumbles = 0;

  const documents = (composed: Iterable<Document.Parsed>) =>
    collect(composed).map((document) => toYamlDocument(document, text, starts));
  function* take(token: CST.Token) {
    if (token.type === "document") {
      starts.push(text.lastIndexOf("\n", token.offset - 1) + 1);
      tokens = 0;
    } else if (token.type === "error" || token.type === "directive") stumbles++;
    yield* documents(composer.next(token));
  }

  for (const lexeme of new Lexer().lex(text)) {
    tokens = parser.stack.length === 0 ? 0 : tokens + 1;
    for (const token of parser.next(lexeme)) yield* take(token);
    const mistake = excess(parser.stack.length, tokens, stumbles);
    if (!mistake) continue;
    yield* documents(composer.end());
    yield {
      root: null,
      mistakes: [{ ...mistake, code: "syntax", offset: parser.offset }],
      start: parser.offset,
      end: text.length,
    };
    return;
  }
  for (const token of parser.end()) yield* take(token);
  yield* documents(composer.end(true, text.length));
}

/** The tokens of a text that `readYaml` has read without mistakes, and its documents, whose nodes know their tokens. */
export function readTokens(text: string): { tokens: CST.Token[]; documents: Document.Parsed[] } {
  const tokens = [...new Parser().parse(text)];
  const composer = new Composer({ ...options, keepSourceTokens: true });
  return { tokens, documents: [...composer.compose(tokens, true, text.length)] as Document.Parsed[] };
}

const unread = "the rest of this file has not been read";

function excess(depth: number, tokens: number, stumbles: number): Mistake | undefined {
  // The stack contains the document itself too.
  if (depth > maximumDepth + 1) {
    return {
      message: `nested more than ${maximumDepth} levels deep`,
      advice: `a manifest has fewer than ten levels; ${unread}`,
    };
  }
  if (tokens > maximumTokens) {
    return {
      message: `a document has more than ${maximumTokens.toLocaleString("en")} YAML tokens`,
      advice: `a document declares one resource; put --- before each; ${unread}`,
    };
  }
  if (stumbles > hopelessProblems) {
    return {
      message: `more than ${hopelessProblems.toLocaleString("en")} errors between documents`,
      advice: `put --- before each document; ${unread}`,
    };
  }
  return undefined;
}

/** A hostile text causes hundreds of thousands of errors, and collecting their stack traces would be slow. */
function collect(documents: Iterable<Document.Parsed>): Document.Parsed[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return [...documents];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The mistake of `${TAG}` without quotes inside `{ }` or `[ ]`, where YAML takes the braces for its own. */
function unquotedReference(text: string, offset: number): Mistake | undefined {
  const [reference] = /^\$\{[^{}\n]*\}/.exec(text.slice(offset - 1, offset + 200)) ?? [];
  if (reference === undefined) return undefined;
  const shown = escapeControl(reference);
  return {
    message: `invalid YAML: ${shown} has no quotes`,
    advice: `inside { } and [ ], write "${shown}", with quotes`,
  };
}

function toYamlDocument(document: Document.Parsed, text: string, starts: number[]): YamlDocument {
  const start = starts.shift() ?? 0;
  const mistakes = [...document.errors, ...document.warnings].map((error): PlacedMistake => ({
    code: "syntax",
    ...(unquotedReference(text, error.pos[0]) ?? explainSyntax(error)),
    offset: error.pos[0],
  }));
  const { explicit, version } = document.directives.yaml;
  if (explicit && version !== "1.2") {
    mistakes.unshift({
      code: "syntax",
      message: `manifests are YAML 1.2, not ${version}`,
      advice: "remove the line that begins with %YAML",
      offset: Math.max(0, text.lastIndexOf("%YAML", start)),
    });
  }
  return { root: document.contents, mistakes, start, end: document.range[2] };
}

const advices: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: "put quotes around a text that begins with * or &",
  BAD_DIRECTIVE: "remove the line that begins with %",
  BAD_DQ_ESCAPE: "write \\\\ for a backslash, or use single quotes",
  BAD_INDENT: "indent what belongs together by the same number of spaces, and close each bracket",
  BAD_SCALAR_START: "put quotes around the text",
  BLOCK_AS_IMPLICIT_KEY:
    'put quotes around a text that has ": " in it, or begin the inner mapping on a line of its own',
  BLOCK_IN_FLOW: "correct the text inside { } or [ ], or write each member on a line of its own",
  KEY_OVER_1024_CHARS: "write a shorter key",
  MISSING_CHAR: "close the quotes and brackets that are open, and put a space after each colon",
  MULTILINE_IMPLICIT_KEY: "write KEY: VALUE on one line, and indent its members below",
  NON_STRING_KEY: "write a plain text as the key",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the tag (the word that begins with !)",
};

/** Our own messages, for errors that the parser explains badly. */
const messages: Partial<Record<ErrorCode, string>> = { NON_STRING_KEY: "the key is not a text" };

function explainSyntax(error: YAMLError): Mistake {
  const message = messages[error.code] ?? escapeControl(shorten(error.message, 160));
  return {
    message: `invalid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    advice: advices[error.code] ?? "check the quotes, brackets and indentation here and in the line above",
  };
}
