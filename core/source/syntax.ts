import type { ErrorCode, YAMLError } from "yaml";
import { escapeControl, shorten } from "../text.ts";
import type { Mistake } from "./mistake.ts";

const advices: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: "put quotes around a text that begins with * or &",
  BAD_DIRECTIVE: "remove the line that begins with %",
  BAD_DQ_ESCAPE: "write \\\\ for a backslash, or use single quotes",
  BAD_INDENT: "indent what belongs together by the same number of spaces, and close each bracket",
  BAD_SCALAR_START: "put quotes around the text",
  BLOCK_AS_IMPLICIT_KEY:
    'put quotes around a text that has ": " in it, or begin what is inside on a line of its own',
  BLOCK_IN_FLOW: "inside { } and [ ] write only what may stand there, or give each member a line of its own",
  KEY_OVER_1024_CHARS: "write a shorter key",
  MISSING_CHAR: "close the quotes and brackets that are open, and put a space after each colon",
  MULTILINE_IMPLICIT_KEY: "write KEY: VALUE on one line, and indent what is inside it below",
  NON_STRING_KEY: "write a plain text as the key",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the tag (the word that begins with !)",
};

/** Our own messages, for errors that the parser explains badly. */
const messages: Partial<Record<ErrorCode, string>> = {
  NON_STRING_KEY: "the key is not a text",
};

/** The error of the parser as a mistake with advice. */
export function explainSyntax(error: YAMLError): Mistake {
  const message = messages[error.code] ?? escapeControl(shorten(error.message, 160));
  return {
    message: `invalid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    advice: advices[error.code] ?? "check the quotes, brackets and indentation here and in the line above",
  };
}
