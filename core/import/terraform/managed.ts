import { textIn } from "../../json.ts";
import type { Kind } from "../../kinds/index.ts";
import { sameId } from "../../live/index.ts";
import type { Organization } from "../../organization.ts";
import { type MemberType, type ResourceType, resourceType } from "./resource-types.ts";
import type { TerraformState, StateResource } from "./state-resource.ts";

/** Something that the state manages and that no document describes: a resource, or an attribute of one. */
export interface LeftOutOfState {
  /** Its address in the state. */
  state: string;
  /** The attribute; absent: the whole resource. */
  attribute?: string;
  why: string;
  advice: string;
  /** Whether the resource no longer exists. */
  isGone: boolean;
}

/** A resource that the state manages, of a type that has documents. */
export interface Managed extends StateResource {
  id: string;
  known: ResourceType;
  /** The resources of the state that are members of its document. */
  members: MemberOf[];
}

/** A resource of the state that is a member of the document of another one. */
export interface MemberOf {
  resource: StateResource;
  known: MemberType;
}

/** Divides the managed resources of a state into those with documents, each once, and others. */
export function managedIn(
  { resources }: TerraformState,
  organization: Organization,
  parents: ReadonlyMap<string, string>,
): { managed: Managed[]; leftOut: LeftOutOfState[] } {
  const owners = new Map(
    resources.flatMap(({ id, attributes }): [string, string][] => {
      const owner = textIn(attributes, "organization_id");
      return id === undefined || owner === undefined ? [] : [[id.toLowerCase(), owner]];
    }),
  );
  const managed = new Map<string, Managed>();
  const members: MemberOf[] = [];
  const leftOut: LeftOutOfState[] = [];
  for (const resource of resources.filter(({ isManaged }) => isManaged)) {
    const known = resourceType(resource.type);
    const reason =
      reasonToLeave(resource, known) ?? elsewhere(ownerOf(resource, owners, parents), organization);
    if (reason) leftOut.push({ state: resource.address, ...reason, isGone: false });
    else if ("member" in known) members.push({ resource, known });
    else if ("kind" in known && resource.id !== undefined) {
      const key = keyIn(known.kind, resource.id);
      const first = managed.get(key);
      if (first) leftOut.push({ state: resource.address, ...sameAs(first), isGone: false });
      else managed.set(key, { ...resource, id: resource.id, known, members: [] });
    }
  }
  for (const member of members) {
    const { owner, ownerIn } = member.known;
    const its = managed.get(keyIn(owner, textIn(member.resource.attributes, ownerIn) ?? ""));
    if (its) its.members.push(member);
    else leftOut.push({ state: member.resource.address, ...withoutOwner(owner), isGone: false });
  }
  return { managed: [...managed.values()], leftOut };
}

const keyIn = ({ slug }: Kind, id: string) => `${slug} ${id.toLowerCase()}`;

export type LeftOutReason = Pick<LeftOutOfState, "why" | "advice">;

/** The organization of a resource, as far as the state shows it: its own, or that of its parents. */
function ownerOf(
  { id = "", attributes }: StateResource,
  owners: ReadonlyMap<string, string>,
  parents: ReadonlyMap<string, string>,
): string | undefined {
  const stated = textIn(attributes, "organization_id");
  if (stated !== undefined) return stated;
  const seen = new Set<string>();
  for (let at = parents.get(id.toLowerCase()); at !== undefined && !seen.has(at); at = parents.get(at)) {
    const owner = owners.get(at);
    if (owner !== undefined) return owner;
    seen.add(at);
  }
  return undefined;
}

function elsewhere(owner: string | undefined, organization: Organization): LeftOutReason | undefined {
  if (owner === undefined || sameId(owner, organization.id)) return undefined;
  return {
    why: `it belongs to the organization ${owner}`,
    advice: "convert the state for that organization too",
  };
}

/** Why a resource can never get a document; undefined if it may get one. */
function reasonToLeave(
  { id, condition }: StateResource,
  known: ReturnType<typeof resourceType>,
): LeftOutReason | undefined {
  if ("advice" in known) return known;
  if (id === undefined)
    return { why: "the state has no id of it", advice: "let Terraform read it, with `terraform refresh`" };
  if (condition === "deposed")
    return {
      why: "Terraform has replaced it, and is going to delete it",
      advice: "let Terraform do so, with `terraform apply`",
    };
  return undefined;
}

function sameAs({ address }: Managed): LeftOutReason {
  return { why: `it is the same resource as ${address}`, advice: "remove one of the two from the state" };
}

function withoutOwner({ name }: Kind): LeftOutReason {
  return {
    why: `it is stated in the document of its ${name}, which the state does not manage`,
    advice: `write a manifest of the ${name} first, with its settings`,
  };
}

/** The ids of the parents that the state tells, by the ids of their contents, all in lower case. */
export function parentsIn({ resources }: TerraformState): Map<string, string> {
  return new Map(
    resources.flatMap(({ id, type, attributes }): [string, string][] => {
      const known = resourceType(type);
      const member = "kind" in known ? known.kind.parentMember : undefined;
      const parentId = member === undefined ? undefined : attributes[`${member}_id`];
      return id !== undefined && typeof parentId === "string"
        ? [[id.toLowerCase(), parentId.toLowerCase()]]
        : [];
    }),
  );
}
