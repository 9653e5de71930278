export { readCatalogue } from "./catalogues.ts";
export { type Contents, readContents, type UnknownService } from "./contents.ts";
export { readParts } from "./parts.ts";
export {
  absentWhenNotFound,
  isWhole,
  type LiveResource,
  parentIdIn,
  readOne,
  sameId,
  toLive,
} from "./resource.ts";
