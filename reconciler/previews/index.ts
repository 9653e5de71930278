export {
  endIn,
  type ExistingEnvironment,
  existingPreviews,
  isOver,
  ownershipOf,
} from "./existing-environment.ts";
export { PreviewKeeper } from "./keeper.ts";
export { PreviewRecord } from "./record.ts";
export { type PreviewCheck, type PreviewOfRequest, previewStates } from "./states.ts";
export {
  makePreview,
  ordersForPreview,
  type PreviewContext,
  PreviewError,
  removePreview,
} from "./operations.ts";
