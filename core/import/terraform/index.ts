export { type Conversion, convert, type ConvertOptions } from "./convert.ts";
export type { LeftOut } from "./managed.ts";
export { maximumStateBytes, readState } from "./state.ts";
export type { State } from "./state-resource.ts";
