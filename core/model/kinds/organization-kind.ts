import { path } from "../../api/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { KindDefinition } from "./kind.ts";
import type { Listing } from "./kind-members.ts";

/**
 * Where a resource of the organization is listed, made, and changed.
 *
 * @param segment the last part of the path of its list: `/organization/{id}/labelsGroups`
 * @param options.catalogue where fields refer to such resources
 * @param options.listing what is special about the list
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
