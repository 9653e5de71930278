import { isScalar, type ParsedNode } from "yaml";
import type { Problem } from "../problem.ts";
import { escapeControl } from "../text.ts";
import { isFields, own } from "../json.ts";
import type { DefaultsDocument, ManifestDocument, Placed } from "./document.ts";
import { Lines } from "../source/lines.ts";
import { offsetOf } from "../source/places.ts";
import { Report } from "../source/report.ts";
import { type PlacedFault, readYaml, type YamlDocument } from "../source/stream.ts";
import { textFault } from "../source/text.ts";
import { Variables } from "../source/variables.ts";
import { validateManifest } from "./validate.ts";
import { defaultsKind, validateDefaults } from "./validate-defaults.ts";
import { valueOf } from "../source/value.ts";

/** What a file says, and what is wrong with it. */
export interface ParsedManifest {
  documents: ManifestDocument[];
  defaults: DefaultsDocument[];
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
 * @param variables what `${NAME}` in values stands for; none is set when left out
 */
export function parseManifest(text: string, file: string, variables = new Variables()): ParsedManifest {
  const fault = textFault(text);
  if (fault)
    return {
      documents: [],
      defaults: [],
      problems: [{ message: `${escapeControl(file)} ${fault.message}`, advice: fault.advice }],
    };

  const lines = new Lines(text.replace(/^\uFEFF/, ""), file);
  const report = new Report(lines);
  const misplaced = misplacedCharacter(lines.text);
  if (misplaced) {
    report.add(misplaced);
    return { documents: [], defaults: [], problems: report.problems() };
  }

  const parsed: ParsedManifest = { documents: [], defaults: [], problems: [] };
  for (const part of readYaml(lines.text)) {
    readDocument(part, { lines, report, variables }, parsed);
    if (report.isHopeless) break;
  }
  return { ...parsed, problems: report.problems() };
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

/** A file that is being read. */
interface Reading {
  lines: Lines;
  report: Report;
  variables: Variables;
}

function readDocument(
  { root, faults, start, end }: YamlDocument,
  { lines, report, variables }: Reading,
  parsed: ParsedManifest,
): void {
  if (faults.length > 0) {
    // One slip makes the parser stumble several times; what it says first about a line is to the point.
    const firsts = new Map(faults.toReversed().map((fault) => [lines.line(fault.offset), fault]));
    for (const [, fault] of [...firsts].toSorted(([left], [right]) => left - right)) report.add(fault);
    return;
  }
  if (!root || isEmpty(root)) return;

  const { value, faults: valueFaults, incomplete, targets } = valueOf(root, variables);
  for (const fault of valueFaults) report.add(fault);
  if (incomplete) return;

  const isDefaults = isFields(value) && own(value, "kind") === defaultsKind;
  const { manifest, defaults, mistakes, omitted, address } = isDefaults
    ? { ...noManifest, ...validateDefaults(value) }
    : { defaults: undefined, ...validateManifest(value) };
  const placed = mistakes.map((mistake) => ({
    ...mistake,
    offset: offsetOf({ root, targets }, mistake.path, mistake.at),
  }));
  for (const fault of placed.toSorted((left, right) => left.offset - right.offset))
    report.add(fault, address);
  if (omitted > 0) report.omit(omitted, placed.at(-1)?.offset ?? root.range[0]);
  if (manifest) parsed.documents.push(withPositions(manifest, lines, start, end));
  if (defaults) parsed.defaults.push(withPositions(defaults, lines, start, end));
}

const noManifest = { manifest: undefined, omitted: 0, address: undefined };

function isEmpty(root: ParsedNode): boolean {
  return isScalar(root) && root.value === null;
}

/** Keeps no nodes for positions that are seldom asked for: the document is parsed again when one is. */
function withPositions<Content>(
  content: Content,
  lines: Lines,
  start: number,
  end: number,
): Content & Placed {
  let offset: ((path: readonly (string | number)[]) => number) | undefined;
  return {
    ...content,
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
