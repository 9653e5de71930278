import { isScalar, type ParsedNode } from "yaml";
import type { Problem } from "../problem.ts";
import { escapeControl } from "../text.ts";
import type { Manifest, ManifestDocument } from "./document.ts";
import { Lines } from "../source/lines.ts";
import { offsetOf } from "../source/places.ts";
import { Report } from "../source/report.ts";
import { type PlacedFault, readYaml, type YamlDocument } from "../source/stream.ts";
import { textFault } from "../source/text.ts";
import { validateManifest } from "./validate.ts";
import { valueOf } from "../source/value.ts";

/** What a file says, and what is wrong with it. */
export interface ParsedManifest {
  documents: ManifestDocument[];
  problems: Problem[];
}

// Tab and line ends aside; the parser takes them, YAML does not, and a terminal would obey them.
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0001-\u0008\u000B\u000C\u000E-\u001F]/;

/**
 * Reads the manifests in a text. Never throws for what the text says: whatever is wrong, in whichever document, is a
 * problem with its place.
 *
 * @param file what the file is called in positions; `-` for standard input
 */
export function parseManifest(text: string, file: string): ParsedManifest {
  const fault = textFault(text);
  if (fault)
    return {
      documents: [],
      problems: [{ message: `${escapeControl(file)} ${fault.message}`, advice: fault.advice }],
    };

  const lines = new Lines(text.replace(/^\uFEFF/, ""), file);
  const report = new Report(lines);
  const misplaced = misplacedCharacter(lines.text);
  if (misplaced) {
    report.add(misplaced);
    return { documents: [], problems: report.problems() };
  }

  const documents: ManifestDocument[] = [];
  for (const part of readYaml(lines.text)) {
    const document = readDocument(part, lines, report);
    if (document) documents.push(document);
    if (report.isHopeless) break;
  }
  return { documents, problems: report.problems() };
}

function misplacedCharacter(text: string): PlacedFault | undefined {
  const control = controlCharacter.exec(text);
  if (control) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).padStart(2, "0");
    return {
      message: `the control character \\x${code} is not allowed in YAML`,
      advice: `take it out, or write it as \\x${code} inside double quotes`,
      offset: control.index,
    };
  }
  const mark = text.search(/^\uFEFF/m);
  return mark === -1
    ? undefined
    : {
        message: "a byte order mark (U+FEFF) stands where no file begins",
        advice: "take it out; files that are put together must not begin with one",
        offset: mark,
      };
}

function readDocument(
  { root, faults, start, end }: YamlDocument,
  lines: Lines,
  report: Report,
): ManifestDocument | undefined {
  if (faults.length > 0) {
    // One slip makes the parser stumble several times; what it says first about a line is to the point.
    const firsts = new Map(faults.toReversed().map((fault) => [lines.line(fault.offset), fault]));
    for (const [, fault] of [...firsts].toSorted(([left], [right]) => left - right)) report.add(fault);
    return undefined;
  }
  if (!root || isEmpty(root)) return undefined;

  const { value, faults: valueFaults, incomplete, targets } = valueOf(root);
  for (const fault of valueFaults) report.add(fault);
  if (incomplete) return undefined;

  const { manifest, mistakes, omitted, address } = validateManifest(value);
  const placed = mistakes.map((mistake) => ({
    ...mistake,
    offset: offsetOf({ root, targets }, mistake.path, mistake.at),
  }));
  for (const fault of placed.toSorted((left, right) => left.offset - right.offset))
    report.add(fault, address);
  if (omitted > 0) report.omit(omitted, placed.at(-1)?.offset ?? root.range[0]);
  return manifest && withPositions(manifest, lines, start, end);
}

function isEmpty(root: ParsedNode): boolean {
  return isScalar(root) && root.value === null;
}

/** Keeps no nodes for positions that are seldom asked for: the document is parsed again when one is. */
function withPositions(manifest: Manifest, lines: Lines, start: number, end: number): ManifestDocument {
  let offset: ((path: readonly (string | number)[]) => number) | undefined;
  return {
    ...manifest,
    position(path) {
      offset ??= locator(lines.text.slice(start, end));
      return lines.position(start + offset(path));
    },
  };
}

function locator(text: string): (path: readonly (string | number)[]) => number {
  const [document] = readYaml(text);
  const root = document?.root;
  if (!root) return () => 0;
  const { targets } = valueOf(root);
  return (path) => offsetOf({ root, targets }, path, "value");
}
