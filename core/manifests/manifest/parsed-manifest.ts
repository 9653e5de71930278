import type { ParsedNode } from "yaml";
import type { Fields } from "../../values/json.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import type { Lines } from "../../source/lines.ts";
import type { Path } from "../../source/mistake.ts";
import type { Variables } from "../../source/variables.ts";
import type { DefaultsDocument, ManifestDocument, PositionedContent } from "./document.ts";

/** The documents of a file, and its problems. */
export interface ParsedManifest {
  documents: ManifestDocument[];
  defaults: DefaultsDocument[];
  templates: Template[];
  uses: TemplateUse[];
  problems: Problem[];
}

export function nothingParsed(problems: Problem[] = []): ParsedManifest {
  return { documents: [], defaults: [], templates: [], uses: [], problems };
}

export interface LoadedSource extends ParsedManifest {
  files: number;
}

export function addFile(source: LoadedSource, parsed: ParsedManifest): void {
  for (const document of parsed.documents) source.documents.push(document);
  source.defaults.push(...parsed.defaults);
  source.templates.push(...parsed.templates);
  source.uses.push(...parsed.uses);
  source.problems.push(...parsed.problems);
}

export interface RemoteTemplate {
  git: string;
  /** The full id of the commit, which never changes its meaning. */
  commit: string;
  path: string;
}

/** A document of the kind `Template`: documents with parameters. */
export interface Template extends PositionedContent {
  name: string;
  /** It has mistakes, so its uses make no documents. */
  isWrong: boolean;
  /** Its text; the documents and parameters are nodes of it. */
  lines: Lines;
  documents: readonly ParsedNode[];
  parameters: ParsedNode | undefined;
  /** The values of `${NAME}` that are not parameters. */
  variables: Variables;
  /** The place of a template in another repository; then `documents` is empty. */
  remote?: RemoteTemplate;
  /** Completes its documents with the texts of files beside it. */
  complete?(made: ParsedManifest): Promise<ParsedManifest>;
}

export interface TemplateUse {
  template: string;
  /** The position of a member: of its value, or of its key. */
  position(path: Path, at?: "key" | "value"): Position;
  values: Fields;
}
