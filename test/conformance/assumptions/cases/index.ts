import type { AssumptionCase } from "../assumption-case.ts";
import { accessCases } from "./access.ts";
import { defaultCases } from "./defaults.ts";
import { listCases } from "./lists.ts";
import { nameCases } from "./names.ts";
import { operationCases } from "./operations.ts";
import { variableCases } from "./variables.ts";
import { writeCases } from "./writes.ts";

/** Every assumption of the engine about the server that can be checked, by subject. */
export const cases: readonly AssumptionCase[] = [
  ...accessCases,
  ...listCases,
  ...nameCases,
  ...writeCases,
  ...defaultCases,
  ...variableCases,
  ...operationCases,
];
