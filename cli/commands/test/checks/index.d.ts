import type { MadeCheck } from "../../../../core/schema/check.ts";

/** The check of a story. `tools/checks.ts` makes it. */
export declare const checks: Readonly<Record<string, MadeCheck>>;
