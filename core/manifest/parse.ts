import { readDocuments } from "../source/document.ts";
import { Variables } from "../source/variables.ts";
import { manifestsIn, openText, type ParsedManifest } from "./manifest-text.ts";

/**
 * Reads the manifests in a text. Never throws for a wrong text: every mistake in any document is a problem with its
 * position.
 *
 * @param file the name of the file in positions; `-` for standard input
 * @param variables the values of `${NAME}`; default: none is set
 */
export function parseManifest(text: string, file: string, variables = new Variables()): ParsedManifest {
  const opened = openText(text, file);
  return "documents" in opened ? opened : manifestsIn(opened, readDocuments(opened.lines, variables));
}
