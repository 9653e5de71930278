export {
  endIn,
  type ExistingEnvironment as Existing,
  existingPreviews,
  isOver,
  ownershipOf,
} from "./existing-environment.ts";
export { type PreviewClaim, PreviewKeeper } from "./keeper.ts";
export { PreviewRecord } from "./record.ts";
export {
  type PreviewOfRequest as KeptPreview,
  type PreviewCheck as KeptPreviews,
  previewStates,
} from "./preview-check.ts";
export {
  deployPreview,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  PreviewError,
  removePreview,
} from "./operations.ts";
