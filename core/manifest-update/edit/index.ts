export { editDocument } from "./document.ts";
export { type SharedBy, SharedValueError } from "./shared.ts";
export { commentsIn, type Splice, spliced } from "./text.ts";
