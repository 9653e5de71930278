import { isScalar } from "yaml";
import type { Json } from "../json.ts";
import type { Lines } from "./lines.ts";
import type { DocumentMistake, Path, PlacedMistake } from "./mistake.ts";
import { offsetOf } from "./places.ts";
import { readYaml, type YamlDocument } from "./stream.ts";
import { valueOf } from "./value.ts";
import type { Variables } from "./variables.ts";

/** A YAML document as a value, with the positions of its members. */
export interface SourceDocument {
  /** Undefined when the document is empty or so wrong that it has no value. */
  value: Json | undefined;
  /** The paths at which the value has null because the text there could not be read; `mistakes` has the reasons. */
  holes: readonly Path[];
  /** The mistakes in the text, in the order of the text. */
  mistakes: PlacedMistake[];
  /** Where the document starts in the text. */
  start: number;
  end: number;
  /** The offset in the text of the value or key at a path. */
  offsetOf(path: Path, at: DocumentMistake["at"]): number;
}

/**
 * The documents of a YAML text, one at a time.
 *
 * @param variables the values of `${NAME}`; without them, texts stay as they are
 */
export function* readDocuments(lines: Lines, variables?: Variables): Generator<SourceDocument, void> {
  for (const document of readYaml(lines.text)) yield toDocument(document, lines, variables);
}

function toDocument(
  { root, mistakes, start, end }: YamlDocument,
  lines: Lines,
  variables: Variables | undefined,
): SourceDocument {
  if (mistakes.length > 0 || !root || (isScalar(root) && root.value === null)) {
    const firsts = firstOfEachLine(mistakes, lines);
    return {
      value: undefined,
      holes: [],
      mistakes: firsts,
      start,
      end,
      offsetOf: () => root?.range[0] ?? start,
    };
  }
  const { value, mistakes: valueMistakes, incomplete, holes, targets } = valueOf(root, variables);
  return {
    value: incomplete ? undefined : value,
    holes,
    mistakes: valueMistakes,
    start,
    end,
    offsetOf: (path, at) => offsetOf({ root, targets }, path, at),
  };
}

/** One typing mistake makes the parser report several errors; the first error of a line is the useful one. */
function firstOfEachLine(mistakes: readonly PlacedMistake[], lines: Lines): PlacedMistake[] {
  const firsts = new Map(mistakes.toReversed().map((mistake) => [lines.line(mistake.offset), mistake]));
  return [...firsts].toSorted(([left], [right]) => left - right).map(([, mistake]) => mistake);
}
