import type { CompiledCheck } from "../../../model/schema/check.ts";

/** The checks of documents, by the name of their kind. `tools/checks.ts` makes them. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
