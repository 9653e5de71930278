import type { Json } from "../values/json.ts";
import type { Position } from "../problems/problem.ts";

/** An environment of a settings file: its sources and its values. */
export interface EnvironmentSettings {
  name: string;
  /** Files and folders, relative to the folder of the settings file; later ones overlay earlier ones. */
  sources: readonly string[];
  /** Files with values of variables, relative to that folder; later ones win. */
  variableFiles: readonly string[];
  /** Values of variables; they win over those of the files. */
  variables: ReadonlyMap<string, string>;
  placeOf(variable: string): Position;
  /** Patterns of resources that no run deletes, each with its position. */
  protect: readonly { text: string; position: Position }[];
}

export interface PlacedValue {
  value: Json;
  positionOf(path: readonly (string | number)[]): Position;
  /** The spelling of a number, true or false at a path in it. */
  spelling(path: readonly (string | number)[]): string;
}
