export { type ListedResource, listResources } from "./list.ts";
export { readWhole, type WholeResource } from "./whole.ts";
export { type ListedEntry, listEntries } from "./entries.ts";
