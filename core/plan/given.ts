import { kindsInside } from "../kinds/index.ts";
import type { Contents, Known, LiveResource } from "../live/index.ts";

/** The known state of the server, without what has not been read. Planning changes none of it. */
export interface LiveState extends Known {
  organization: { id: string; name?: string };
}

/** The contents of the organization; undefined while they have not been read. */
export function contentsOfOrganization({ contents, organization }: LiveState): Contents | undefined {
  return contents.get(organization.id);
}

/** What a resource contains; undefined while that has not been read. Some kinds contain nothing. */
export function contentsIn({ contents }: LiveState, { kind, id }: LiveResource): Contents | undefined {
  return kindsInside(kind).length === 0 ? nothing : contents.get(id);
}

const nothing: Contents = { resources: [], unknown: [] };
