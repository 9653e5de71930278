import type { ParsedNode } from "yaml";
import type { Json } from "../values/json.ts";
import type { DocumentMistake, Path, PlacedMistake } from "./mistake.ts";

/** A YAML document as a value, with the positions of its members. */
export interface SourceDocument {
  /** Undefined: the document is empty, or too wrong to have a value. */
  value: Json | undefined;
  /** The paths with null in place of an unreadable text; `mistakes` has the reasons. */
  holes: readonly Path[];
  /** The mistakes in the text, in the order of the text. */
  mistakes: PlacedMistake[];
  /** The node of a template: its texts are filled in later. */
  root?: ParsedNode;
  start: number;
  /** The offset in the text of the value or key at a path. */
  offsetOf: OffsetOf;
  /** `offsetOf` without nodes in memory: the first call reads the document again. */
  offsetAgain: OffsetOf;
}

/** The offset in a text of the value or key at a path. */
export type OffsetOf = (path: Path, at: DocumentMistake["at"]) => number;
