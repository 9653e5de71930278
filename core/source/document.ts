import { isScalar } from "yaml";
import type { Json } from "../json.ts";
import type { Lines } from "./lines.ts";
import type { DocumentMistake, Path, PlacedMistake } from "./mistake.ts";
import { offsetOf } from "./places.ts";
import { readYaml, type YamlDocument } from "./stream.ts";
import { valueOf } from "./value.ts";
import type { Variables } from "./variables.ts";

/** A YAML document as a value that knows where its members stand. */
export interface SourceDocument {
  /** Undefined where there is none: the document is empty, or wrong in a way that leaves no value. */
  value: Json | undefined;
  /** Where the value has null as nothing could be read there; what is wrong is among the mistakes. */
  holes: readonly Path[];
  /** What is wrong with the text, in its order. */
  mistakes: PlacedMistake[];
  /** The part of the text that it is. */
  start: number;
  end: number;
  /** The offset in the text of what a path leads to. */
  offsetOf(path: Path, at: DocumentMistake["at"]): number;
}

/**
 * The documents of a YAML text, one at a time.
 *
 * @param variables what `${NAME}` in values stands for; without them texts are left as they are
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

/** One slip makes the parser stumble several times; what it says first about a line is to the point. */
function firstOfEachLine(mistakes: readonly PlacedMistake[], lines: Lines): PlacedMistake[] {
  const firsts = new Map(mistakes.toReversed().map((mistake) => [lines.line(mistake.offset), mistake]));
  return [...firsts].toSorted(([left], [right]) => left - right).map(([, mistake]) => mistake);
}
