import { path } from "../api/path.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { KindDefinition } from "./kind.ts";

/**
 * Where a resource of the organization is listed, made, and changed.
 *
 * @param segment the last part of the path of its list: `/organization/{id}/labelsGroups`
 * @param catalogue where fields refer to such resources
 */
export function organizationKind(segment: string, catalogue?: Catalogue) {
  const list = (organizationId: string) => `${path`/organization/${organizationId}`}/${segment}`;
  return {
    ...(catalogue && { catalogue }),
    listing: { path: list, onDemand: true },
    createPath: list,
    path: (id, organizationId) => `${list(organizationId)}${path`/${id}`}`,
    parts: [],
    reports: {},
  } satisfies Partial<KindDefinition>;
}
