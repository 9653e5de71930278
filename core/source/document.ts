import { isScalar } from "yaml";
import { Lines } from "./lines.ts";
import type { PlacedMistake } from "./mistake.ts";
import { offsetOf } from "./places.ts";
import type { OffsetOf, SourceDocument } from "./source-document.ts";
import { readYaml, type YamlDocument } from "./stream.ts";
import { valueOf } from "./value.ts";
import type { Variables } from "./variables.ts";

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
    const offset = () => root?.range[0] ?? start;
    return { value: undefined, holes: [], mistakes: firsts, start, offsetOf: offset, offsetAgain: offset };
  }
  const { value, mistakes: valueMistakes, incomplete, holes, targets } = valueOf(root, variables);
  return {
    value: incomplete ? undefined : value,
    holes,
    mistakes: valueMistakes,
    start,
    offsetOf: (path, at) => offsetOf({ root, targets }, path, at),
    offsetAgain: parsingAgain(lines, start, end),
  };
}

/** A function of its own, because functions that are made in one place keep each other's values in memory. */
function parsingAgain({ text }: Lines, start: number, end: number): OffsetOf {
  let again: SourceDocument | undefined;
  return (path, at) => {
    [again] = again ? [again] : readDocuments(new Lines(text.slice(start, end), ""));
    return start + (again?.offsetOf(path, at) ?? 0);
  };
}

/** One typing mistake makes the parser report several errors; the first error of a line is the useful one. */
function firstOfEachLine(mistakes: readonly PlacedMistake[], lines: Lines): PlacedMistake[] {
  const firsts = new Map(mistakes.toReversed().map((mistake) => [lines.line(mistake.offset), mistake]));
  return [...firsts].toSorted(([left], [right]) => left - right).map(([, mistake]) => mistake);
}
