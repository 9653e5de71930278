import { readFileSync, realpathSync, statSync } from "node:fs";
import { isMap, type ParsedNode } from "yaml";
import { type Fields, isFields } from "../../values/json.ts";
import type { ManifestDocument } from "../../manifests/manifest/index.ts";
import { isTemplate } from "../../source/document.ts";
import { Lines } from "../../source/lines.ts";
import { readYaml } from "../../source/stream.ts";
import { decodeText } from "../../source/text.ts";
import { valueOf } from "../../source/value.ts";
import { referencesIn, type Variables } from "../../source/variables.ts";

export interface TextFile {
  name: string;
  /** The byte order mark before the text, or nothing. */
  mark: string;
  text: string;
  documents: readonly TextDocument[];
}

export interface TextDocument {
  /** The number of the document in the text, as `readYaml` counts. */
  index: number;
  root: ParsedNode;
  value: Fields;
  line: number;
  column: number;
}

/** Reads a manifest file again, with its nodes; undefined if it is not a regular file, such as standard input. */
export function readTextFile(name: string, variables: Variables): TextFile | undefined {
  if (name === "-" || !statSync(name, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = readFileSync(realpathSync(name));
  const decoded = decodeText(bytes);
  if (!("text" in decoded)) return undefined;
  const { text } = decoded;
  const mark = bytes.subarray(0, 3).equals(byteOrderMark) ? "\uFEFF" : "";
  const lines = new Lines(text, name);
  const documents = [...readYaml(text)].flatMap(({ root }, index): TextDocument[] => {
    if (!root) return [];
    const { value } = valueOf(root, isTemplate(root) ? undefined : variables);
    const { line, column } = lines.position(root.range[0]);
    return isFields(value) ? [{ index, root, value, line, column }] : [];
  });
  return { name, mark, text, documents };
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export function documentIn({ documents }: TextFile, document: ManifestDocument): TextDocument | undefined {
  const { line, column } = document.position([]);
  return documents.find((each) => each.line === line && each.column === column);
}

/** The variables in the address of a document: with other values, it declares another resource. */
export function variablesInAddress({ root }: TextDocument, { kind }: ManifestDocument): string[] {
  if (!isMap(root)) return [];
  return ["name", kind.parentMember].flatMap((member) => {
    const text: unknown = member === undefined ? undefined : root.get(member);
    return typeof text === "string" ? referencesIn(text) : [];
  });
}
