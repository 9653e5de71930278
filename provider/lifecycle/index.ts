// For the front ends of Pulumi. Programs load only `internal.ts`.
export type { CheckResult } from "./check.ts";
export { type PropertyChange } from "./details.ts";
export type { InputDifference } from "./diff.ts";
export { endWithEngine, engineAddressIn } from "./engine-process.ts";
export { UnfinishedError } from "./errors.ts";
export { functions } from "./functions.ts";
export type { CallResult, ListedOutputs, ProgramFunction } from "./program-function.ts";
export type { ProgramResource } from "./program-resource.ts";
export { programResource, programResources } from "./program-resources.ts";
export { type Properties, inputSchema, programSchema } from "./inputs.ts";
export { ignoredProperty, pathOf, pointerOf, secretProperty } from "./internal.ts";
export { Lifecycle } from "./lifecycle.ts";
export { reportedOutputs, shownOutput, unlistedOutputs } from "./outputs.ts";
export { isSecret, Secrets } from "./secrets.ts";
export type { Warn } from "./session.ts";
export { type Config, settingMistake, variableOf } from "./settings.ts";
export { unknownValue } from "../../core/problems/unknown.ts";
export { type InputMistake } from "./words.ts";
