import {
  type CollectionTag,
  Document,
  isCollection,
  isScalar,
  type Scalar,
  type ScalarTag,
  visit,
} from "yaml";
import { escapeVariables } from "./variables.ts";

/** A value as YAML that reads as the same value: several lines as blocks, `${` escaped, a line break at the end. */
export function writeYaml(
  value: unknown,
  {
    flow = false,
    scalar: type,
    indent = 2,
    indentSeq = true,
  }: {
    /** On one line, with `{ }` and `[ ]`. */
    flow?: boolean;
    /** The style of a text, if possible; default: a block if it has several lines. */
    scalar?: Scalar.Type | undefined;
    /** Spaces for each level; default: 2. */
    indent?: number;
    /** Whether the dashes of a list are indented below its key; default: yes. */
    indentSeq?: boolean;
  } = {},
): string {
  const document = new Document(value, {
    schema: "core",
    // Quotes texts that YAML 1.1 would read differently: yes, 1_000, 12:30.
    compat: "yaml-1.1",
    aliasDuplicateObjects: false,
    customTags: (tags) => tags.map((tag) => (typeof tag === "object" && isText(tag) ? escaping(tag) : tag)),
  });
  visit(document, {
    Collection(_key, collection) {
      if (flow && isCollection(collection)) collection.flow = true;
    },
    Scalar(key, scalar) {
      const { value: text } = scalar;
      if (typeof text !== "string") return;
      if (key !== "key") {
        scalar.value = escapeVariables(text);
        if (type && isScalar(scalar)) scalar.type = type;
        if (flow && text.includes("\n")) scalar.type = "QUOTE_DOUBLE";
      }
      // A block of blank lines loses the spaces in them.
      if (invisible.test(text) || (text.includes("\n") && !/[^ \n]/.test(text))) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({
    lineWidth: 0,
    // On one line, line breaks are escaped.
    ...(flow && { doubleQuotedMinMultiLineLength: Infinity }),
    blockQuote: type === "BLOCK_FOLDED" ? "folded" : "literal",
    indent,
    indentSeq,
  });
}

function isText(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.tag === "tag:yaml.org,2002:str";
}

/** Escapes a text before its length is measured: the length of keys is limited. */
function escaping(tag: ScalarTag): ScalarTag {
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (...args) => stringify?.(...args).replaceAll(new RegExp(invisible, "gu"), escaped) ?? "",
  };
}

/** Characters that a terminal would obey or hide. They are written in double quotes, where they can be escaped. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
