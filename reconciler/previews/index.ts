export { type Existing, existingPreviews, isOurs, isOver } from "./existing.ts";
export { PreviewKeeper } from "./keeper.ts";
export { PreviewRecord } from "./record.ts";
export { type KeptPreview, type KeptPreviews, previewStates } from "./kept.ts";
export {
  deployPreview,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  PreviewError,
  removePreview,
} from "./operations.ts";
