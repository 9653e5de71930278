export { type DocumentEdit, editText } from "./edit.ts";
export { type SharedBy, SharedValueError } from "./shared-values.ts";
export { commentsIn } from "./tokens.ts";
