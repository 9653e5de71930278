import type { Catalogues } from "../fields/references.ts";
import type { Catalogue } from "../kinds/index.ts";
import type { Loss } from "./action.ts";
import type { LiveChildren, LiveNode } from "./expected.ts";

/** What has been read of the organization. */
export interface LiveState {
  organization: { id: string; name?: string };
  /** The projects; undefined while they have not been read. */
  children: LiveChildren | undefined;
  catalogues: Catalogues;
  /** What hangs on resources that are to be replaced, by id. */
  losses: ReadonlyMap<string, readonly Loss[]>;
}

/** What has to be read before the plan can be finished. */
export interface Needs {
  /** Whose inside: of the organization, or of resources. */
  organization: boolean;
  children: Set<LiveNode>;
  catalogues: Set<Catalogue>;
  losses: Set<LiveNode>;
}

/** Nothing has to be read yet. */
export function noNeeds(): Needs {
  return { organization: false, children: new Set(), catalogues: new Set(), losses: new Set() };
}

/** Whether there is nothing left to read. */
export function areMet({ organization, children, catalogues, losses }: Needs): boolean {
  return !organization && children.size === 0 && catalogues.size === 0 && losses.size === 0;
}
