import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import type { Properties } from "./inputs.ts";
import type { ProviderSession } from "./session.ts";

/** The outputs of a function that lists resources. */
export interface ListedOutputs {
  /** `jobs` */
  member: string;
  each: Kind;
}

/** A function of programs: it reads, and changes nothing. */
export interface ProgramFunction {
  /** `getJob` */
  name: string;
  description: string;
  inputs: Record<string, FieldSchema>;
  /** The inputs that a program has to state. */
  required: string[];
  /** The kind whose outputs it has, a list of the resources of a kind, or these. */
  outputs: Kind | ListedOutputs | Record<string, FieldSchema>;
  /** Which of these outputs are always present; those of a kind follow from it. */
  present?: string[];
  run(session: ProviderSession, args: Properties): Promise<Properties>;
}
