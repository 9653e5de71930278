import type { CompiledCheck } from "../../../model/schema/check.ts";

/** The check of the settings file's sections. `tools/checks.ts` makes it. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
