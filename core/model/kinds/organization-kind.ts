import { path } from "../../api/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { KindDefinition } from "./kind.ts";
import type { Listing } from "./kind-members.ts";

export const environmentsIn = (organizationId: string) => path`/organization/${organizationId}/environments`;
export const servicesIn = (organizationId: string) => path`/organization/${organizationId}/services`;

const longLists = [{ path: environmentsIn }, { path: servicesIn }];

/** The requests for a resource of the organization; `segment`: the last part of its list's path, `labelsGroups`. */
export function organizationKind(
  segment: string,
  { catalogue, listing }: { catalogue?: Catalogue; listing?: Partial<Listing> } = {},
) {
  const list = (organizationId: string) => `${path`/organization/${organizationId}`}/${segment}`;
  return {
    ...(catalogue && { catalogue }),
    listing: { path: list, onDemand: true, inOrganization: longLists, ...listing },
    requests: { create: list, one: (id, organizationId) => `${list(organizationId)}${path`/${id}`}` },
    parts: [],
    reports: {},
  } satisfies Partial<KindDefinition>;
}
