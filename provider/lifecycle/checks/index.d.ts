import type { CompiledCheck } from "../../../core/model/schema/check.ts";

/** The checks of the inputs of programs, by the name of their kind. `tools/checks.ts` makes them. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
