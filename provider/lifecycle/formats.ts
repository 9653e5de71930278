import { outputFormats } from "../../core/kinds/outputs.ts";
import { type Formats, plainFormats } from "../../core/schema/formats.ts";

/** The formats that the inputs of resources use. */
export const inputFormats: Formats = { ...plainFormats, ...outputFormats() };
