import type { CompiledCheck } from "../../../core/model/schema/check.ts";

/** The check of the file of notifications. `tools/checks.ts` makes it. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
