import type { CompiledCheck } from "../../../core/model/schema/check.ts";

/** The checks of the documents of sources. `tools/checks.ts` makes them. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
