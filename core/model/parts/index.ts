export { advancedSettings } from "./advanced-settings.ts";
export { argoCd, argoCdMappings, cloudProviderCredentials, dnsProvider } from "./cluster-parts.ts";
export { customDomains } from "./custom-domains.ts";
export { deploymentRestrictions } from "./deployment-restrictions.ts";
export { defaultOf, isDefault, resolveDefaults } from "./defaults.ts";
export { expiryKey } from "./preview-label.ts";
export { partFaults } from "./faults.ts";
export { contentOf, dependentsOf, inheritedParts, keysChangedSince, reportedContentOf } from "./entries.ts";
export { listingKey, listingsOf, listsOf, partsIn, type PartLists, shareList } from "./lists.ts";
export type { Part, PartChange, PartEntry, PartListing, PartNeed, PartRequest } from "./part.ts";
export {
  entriesIn,
  fieldOf,
  lostParts,
  ownPartFields,
  partFields,
  partReports,
  partsWith,
  type DeclaredPart,
  declaredParts,
  withoutParts,
  withoutUncopiedParts,
} from "./declared-parts.ts";
export { type Links, links } from "./links.ts";
export { network } from "./network.ts";
export { withChangedValues, withLastValues, withMovedKeys, withPartsInShape } from "./last-values.ts";
export { routingTable } from "./routing-table.ts";
export {
  besideSource,
  secretField,
  secretFieldOfName,
  secretSources,
  versionMember,
} from "./secret-schema.ts";
export { after, idsWithBehind, siblingKindOf, siblingPart, siblingParts, type Siblings } from "./sibling.ts";
export { secrets } from "./secrets.ts";
export { variables } from "./variables.ts";
