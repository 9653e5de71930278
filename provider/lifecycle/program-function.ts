import type { FieldSchema, Kind } from "../../core/model/kinds/index.ts";
import { adviceOnName, nearest } from "../../core/model/schema/suggest.ts";
import { type Properties, isInternal } from "./inputs.ts";
import type { ProviderSession } from "./session.ts";
import { type InputMistake, typeOf } from "./words.ts";

export interface ListedOutputs {
  /** `jobs` */
  member: string;
  each: Kind;
}

/** A function of programs, which only reads. */
export interface ProgramFunction {
  name: string;
  description: string;
  inputs: Record<string, FieldSchema>;
  required: string[];
  /** The kind of the outputs, a list of resources of a kind, or a schema. */
  outputs: Kind | ListedOutputs | Record<string, FieldSchema>;
  /** The outputs that are always present; those of a kind follow from it. */
  present?: string[];
  run(session: ProviderSession, args: Properties): Promise<Properties>;
}

/** The outputs of a function, or the mistakes in its arguments. */
export interface CallResult {
  outputs: Properties;
  failures: InputMistake[];
}

const words: Readonly<Record<string, string>> = { string: "a text", boolean: "true or false" };

/** Missing, unknown and mistyped arguments. */
export function argumentMistakes(
  { name, inputs, required }: ProgramFunction,
  args: Properties,
): InputMistake[] {
  const meant = new Set(
    Object.keys(args).map((argument) => !inputs[argument] && nearest(argument, Object.keys(inputs))),
  );
  const missing = required
    .filter((argument) => (args[argument] ?? null) === null && !meant.has(argument))
    .map((argument) => ({
      property: argument,
      reason: `${name} needs ${argument}: ${inputs[argument]?.description ?? ""}`,
    }));
  const wrong = Object.entries(args).flatMap(([argument, value]) => {
    if (value === null || isInternal(argument)) return [];
    const schema = inputs[argument];
    if (!schema) {
      const advice = adviceOnName(argument, Object.keys(inputs), "it has");
      return [{ property: argument, reason: `${name} has no argument ${argument}; ${advice}` }];
    }
    const desired = words[schema.type ?? ""];
    if (desired === undefined || typeof value === schema.type) return [];
    return [{ property: argument, reason: `${argument} must be ${desired}, not ${typeOf(value)}` }];
  });
  return [...missing, ...wrong];
}
