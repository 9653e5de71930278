import type { CompiledCheck } from "../../../core/model/schema/check.ts";

/** The check of the policy file. `tools/checks.ts` makes them. */
export declare const checks: Readonly<Record<string, CompiledCheck>>;
