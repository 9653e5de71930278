import { type Fields, own } from "../json.ts";
import { nameKey } from "../names.ts";
import type { FieldSchema } from "../schema/field-schema.ts";

/** A resource among those that a link can name, in the form in which the API lists it. */
export interface Sibling {
  id: string;
  name: string;
  response: Fields;
}

/**
 * A field that names a sibling: a resource in the same parent. Neither a creation nor an update of the resource carries
 * it: the list of the siblings shows it, and a request of its own sets it.
 */
export interface Link {
  /** The member of a document: `deployment_stage`. */
  member: string;
  /** The name of the kind of the siblings: `DeploymentStage`. */
  sibling: string;
  description: string;
  /** The id of the sibling that a resource is linked to, as the list shows it. */
  targetOf(id: string, siblings: readonly Sibling[]): string | undefined;
  /** Whether a resource needs no request to be linked to that sibling. */
  isMet(id: string, targetId: string, siblings: readonly Sibling[]): boolean;
  /** The PUT request that links a resource to a sibling. */
  request(
    id: string,
    targetId: string,
    place: { parentId: string; siblings: readonly Sibling[] },
  ): { path: string; body: Fields };
  /** The list of the siblings after that request. */
  linked<Each extends Sibling>(id: string, targetId: string, siblings: readonly Each[]): Each[];
  /** Whether a new resource is linked to a sibling of that name by itself. */
  isImplied(targetName: string): boolean;
}

/** Something with links: a kind of resource. */
interface WithLinks {
  links?: readonly Link[];
}

/** The schema of the member that states a link. */
export function schemaOfLink({ sibling, description }: Link): FieldSchema {
  return {
    type: "string",
    format: "name",
    description,
    resettable: false,
    part: true,
    sibling,
  };
}

/** The links that fields state, each with the name of the sibling. */
export function statedLinks({ links = [] }: WithLinks, fields: Fields): { link: Link; name: string }[] {
  return links.flatMap((link) => {
    const name = own(fields, link.member);
    return typeof name === "string" ? [{ link, name }] : [];
  });
}

/** The fields without links. */
export function withoutLinks({ links = [] }: WithLinks, fields: Fields): Fields {
  const members = new Set(links.map(({ member }) => member));
  return Object.fromEntries(Object.entries(fields).filter(([member]) => !members.has(member)));
}

/**
 * The present links of a resource, of those that fields state.
 *
 * @param siblingsOf gives the resources among which a link names one; undefined where they are not known
 */
export function presentLinks(
  kind: WithLinks,
  id: string,
  stated: Fields,
  siblingsOf: (link: Link) => readonly Sibling[] | undefined,
): Fields {
  const links = statedLinks(kind, stated).flatMap(({ link, name }): [string, string][] => {
    const siblings = siblingsOf(link) ?? [];
    const wanted = siblings.find((sibling) => nameKey(sibling.name) === nameKey(name));
    const present = nameOfLinked(link, id, siblings, wanted);
    return present === undefined ? [] : [[link.member, present]];
  });
  return Object.fromEntries(links);
}

/** The name of the sibling that a resource is linked to: the wanted one, where that needs no request. */
export function nameOfLinked(
  link: Link,
  id: string,
  siblings: readonly Sibling[],
  wanted?: Sibling,
): string | undefined {
  if (wanted && link.isMet(id, wanted.id, siblings)) return wanted.name;
  const targetId = link.targetOf(id, siblings);
  return siblings.find((sibling) => sibling.id === targetId)?.name;
}
