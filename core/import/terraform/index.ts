export { type Conversion, convert, type ConvertOptions } from "./convert.ts";
export type { LeftOutOfState } from "./managed.ts";
export { maximumStateBytes, readState } from "./state.ts";
export type { TerraformState } from "./state-resource.ts";
