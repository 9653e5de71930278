export { findResources, type ListedResource, listResources } from "./list.ts";
export {
  type ComparedResource,
  type ResourceDifferences,
  differencesBetween,
  nameBesideEnvironment,
  type ResourceDifference,
  shownDifferences,
} from "./difference.ts";
export { serviceNotes, shortVersion } from "./service-words.ts";
export { readWhole, type WholeResource } from "./whole.ts";
export { readClusterStatus } from "./cluster-status.ts";
export { readKubeconfig } from "./kubeconfig.ts";
export { type ListedEntry, listEntries } from "./entries.ts";
