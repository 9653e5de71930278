export { endIn, type Existing, existingPreviews, isOver, ownershipOf } from "./existing.ts";
export { type PreviewClaim, PreviewKeeper } from "./keeper.ts";
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
