import type { Problem } from "../problem.ts";
import { escapeControl } from "../text.ts";
import { isFields, own } from "../json.ts";
import type { DefaultsDocument, ManifestDocument, Placed } from "./document.ts";
import { Lines } from "../source/lines.ts";
import { FileProblems } from "../source/file-problems.ts";
import { readDocuments, type SourceDocument } from "../source/document.ts";
import { misplacedCharacter, textMistake } from "../source/text.ts";
import { Variables } from "../source/variables.ts";
import { validateManifest } from "./validate.ts";
import { defaultsKind, validateDefaults } from "./validate-defaults.ts";

/** What a file says, and what is wrong with it. */
export interface ParsedManifest {
  documents: ManifestDocument[];
  defaults: DefaultsDocument[];
  problems: Problem[];
}

/**
 * Reads the manifests in a text. Never throws for what the text says: whatever is wrong, in whichever document, is a
 * problem with its place.
 *
 * @param file what the file is called in positions; `-` for standard input
 * @param variables what `${NAME}` in values stands for; none is set when left out
 */
export function parseManifest(text: string, file: string, variables = new Variables()): ParsedManifest {
  const mistake = textMistake(text);
  if (mistake)
    return {
      documents: [],
      defaults: [],
      problems: [
        { code: "unreadable", message: `${escapeControl(file)} ${mistake.message}`, advice: mistake.advice },
      ],
    };

  const lines = new Lines(text.replace(/^\uFEFF/, ""), file);
  const report = new FileProblems(lines);
  const misplaced = misplacedCharacter(lines.text);
  if (misplaced) {
    report.add(misplaced);
    return { documents: [], defaults: [], problems: report.problems() };
  }

  const parsed: ParsedManifest = { documents: [], defaults: [], problems: [] };
  for (const source of readDocuments(lines, variables)) {
    readDocument(source, lines, report, parsed);
    if (report.isHopeless) break;
  }
  return { ...parsed, problems: report.problems() };
}

function readDocument(
  source: SourceDocument,
  lines: Lines,
  report: FileProblems,
  parsed: ParsedManifest,
): void {
  for (const mistake of source.mistakes) report.add(mistake);
  const { value } = source;
  if (value === undefined) return;

  const isDefaults = isFields(value) && own(value, "kind") === defaultsKind;
  const { manifest, defaults, mistakes, omitted, address } = isDefaults
    ? { ...noManifest, ...validateDefaults(value) }
    : { defaults: undefined, ...validateManifest(value) };
  const placed = mistakes.map((mistake) => ({
    ...mistake,
    code: "invalid" as const,
    offset: source.offsetOf(mistake.path, mistake.at),
  }));
  for (const mistake of placed.toSorted((left, right) => left.offset - right.offset))
    report.add(mistake, address);
  if (omitted > 0) report.omit(omitted, placed.at(-1)?.offset ?? source.start);
  if (manifest) parsed.documents.push(withPositions(manifest, lines, source));
  if (defaults) parsed.defaults.push(withPositions(defaults, lines, source));
}

const noManifest = { manifest: undefined, omitted: 0, address: undefined };

/** Keeps no nodes for positions that are seldom asked for: the document is parsed again when one is. */
function withPositions<Content>(
  content: Content,
  lines: Lines,
  { start, end }: SourceDocument,
): Content & Placed {
  let again: SourceDocument | undefined;
  return {
    ...content,
    position(path) {
      [again] = again ? [again] : readDocuments(new Lines(lines.text.slice(start, end), ""));
      return lines.position(start + (again?.offsetOf(path, "value") ?? 0));
    },
  };
}
