import { path } from "../../api/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { KindDefinition } from "./kind.ts";
import type { Listing } from "./kind-members.ts";

/**
 * The requests for a resource of the organization.
 *
 * @param segment the last part of the path of its list: `/organization/{id}/labelsGroups`
 * @param options.catalogue its list, if fields refer to it
 * @param options.listing the particularities of the list
 */
export function organizationKind(
  segment: string,
  { catalogue, listing }: { catalogue?: Catalogue; listing?: Partial<Listing> } = {},
) {
  const list = (organizationId: string) => `${path`/organization/${organizationId}`}/${segment}`;
  return {
    ...(catalogue && { catalogue }),
    listing: { path: list, onDemand: true, ...listing },
    requests: { create: list, one: (id, organizationId) => `${list(organizationId)}${path`/${id}`}` },
    parts: [],
    reports: {},
  } satisfies Partial<KindDefinition>;
}
