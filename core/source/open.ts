import type { Lines } from "./lines.ts";
import { readPlain } from "./plain.ts";
import type { SourceDocument } from "./source-document.ts";
import type { Variables } from "./variables.ts";

/** The same as `readDocuments` of document.ts, which loads the YAML parser: this one loads it for a text that needs it. */
export async function openDocuments(lines: Lines, variables?: Variables): Promise<Iterable<SourceDocument>> {
  const plain = readPlain(lines.text, variables);
  if (plain) return plain;
  const { parseDocuments } = await import("./document.ts");
  return parseDocuments(lines, variables);
}
