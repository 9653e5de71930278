export {
  endIn,
  type ExistingEnvironment,
  existingPreview,
  existingPreviews,
  isOver,
  ownershipOf,
  PreviewError,
} from "./existing-environment.ts";
export { PreviewKeeper } from "./keeper.ts";
export { PreviewRecord } from "./record.ts";
export { type PreviewCheck, type PreviewOfRequest, previewStates } from "./states.ts";
export { makePreview, ordersForPreview, type PreviewContext, removePreview } from "./operations.ts";
