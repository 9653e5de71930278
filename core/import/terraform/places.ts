import { ForbiddenError, NotFoundError } from "../../api/index.ts";
import type { Kind } from "../../kinds/index.ts";
import {
  absentWhenNotFound,
  type Contents,
  type LiveReader,
  type LiveResource,
  parentIdIn,
} from "../../live/index.ts";
import { isFields } from "../../json.ts";
import { nameKey } from "../../names.ts";
import { type Organization, unknownOrganization, uuid } from "../../organization.ts";
import { nameMistake } from "../../schema/format.ts";
import type { LeftOutOfState } from "./managed.ts";

/** A live resource, and the names from its project down to its parent. */
export interface LivePlace {
  resource: LiveResource;
  parentNames: readonly string[];
}

/** Why there is no document of a resource. */
export type Absence = Pick<LeftOutOfState, "isGone" | "why" | "advice">;

/** The parent of a resource: its id, and the names from its project down to its own. */
interface Parent {
  id: string;
  names: readonly string[];
}

interface Index {
  byId: ReadonlyMap<string, LiveResource>;
  byName: ReadonlyMap<string, readonly LiveResource[]>;
}

const nameKeyOf = ({ kind, name }: LiveResource) => `${kind.slug} ${nameKey(name)}`;

const takeOut = "take it out of the state with `terraform state rm`";

/**
 * Finds live resources by their ids. Each list is read once, that of their parent; a parent whose own parent is not
 * known takes one request more.
 */
export class Places {
  readonly #reader: LiveReader;
  readonly #organization: Organization;
  readonly #parents: ReadonlyMap<string, string>;
  readonly #found = new Map<string, Promise<LivePlace | Absence>>();
  readonly #lists = new Map<string, { contents: Contents; parentNames: readonly string[] }>();
  readonly #indexes = new WeakMap<Contents, Index>();

  /** @param parents the known ids of parents, by the ids of their contents, in lower case */
  constructor(reader: LiveReader, organization: Organization, parents: ReadonlyMap<string, string>) {
    this.#reader = reader;
    this.#organization = organization;
    this.#parents = parents;
  }

  /** All resources of the lists that were read. */
  get listed(): LivePlace[] {
    return [...this.#lists.values()].flatMap(({ contents, parentNames }) =>
      contents.resources.map((resource) => ({ resource, parentNames })),
    );
  }

  /** The live resource of a kind and an id, or why there is none. */
  find(kind: Kind, id: string): Promise<LivePlace | Absence> {
    const key = `${kind.slug} ${id.toLowerCase()}`;
    const found = this.#found.get(key) ?? this.#find(kind, id);
    this.#found.set(key, found);
    return found;
  }

  async #find(kind: Kind, id: string): Promise<LivePlace | Absence> {
    try {
      return await this.#read(kind, id);
    } catch (error) {
      if (error instanceof ForbiddenError)
        return {
          isGone: false,
          why: `the token may not read the list that the ${kind.name} is in`,
          advice: "use a token with that permission",
        };
      if (error instanceof NotFoundError)
        return {
          isGone: false,
          why: `the server has no list of the kind ${kind.name}`,
          advice: "check the base URL and the version of the server",
        };
      throw error;
    }
  }

  async #read(kind: Kind, id: string): Promise<LivePlace | Absence> {
    const gone = this.#goneFrom(kind, id);
    const parent = await this.#parentOf(kind, id);
    if (parent === undefined) return gone;
    if ("isGone" in parent) return { ...parent, why: `its ${kind.parent?.name} is not there: ${parent.why}` };
    const contents = await this.#listOf(kind, parent);
    const index = contents && this.#indexOf(contents);
    const resource = index?.byId.get(`${kind.slug} ${id.toLowerCase()}`);
    if (!index || !resource) return gone;
    const duplicates = index.byName.get(nameKeyOf(resource)) ?? [];
    return nameless(resource) ?? ambiguous(resource, duplicates) ?? { resource, parentNames: parent.names };
  }

  #goneFrom(kind: Kind, id: string): Absence {
    const { id: organizationId, name = organizationId } = this.#organization;
    const why = `no ${kind.name} of the id ${id} is live`;
    return kind.parent
      ? { isGone: true, why, advice: takeOut }
      : {
          isGone: true,
          why: `${why} in the organization ${name}`,
          advice: `if it is in no other organization, ${takeOut}`,
        };
  }

  /** The resources of a list by their ids and by their names: a list may have thousands. */
  #indexOf(contents: Contents): Index {
    const known = this.#indexes.get(contents);
    if (known) return known;
    const index: Index = {
      byId: new Map(contents.resources.map((each) => [`${each.kind.slug} ${each.id.toLowerCase()}`, each])),
      byName: Map.groupBy(contents.resources, nameKeyOf),
    };
    this.#indexes.set(contents, index);
    return index;
  }

  async #parentOf(kind: Kind, id: string): Promise<Parent | Absence | undefined> {
    const { parent } = kind;
    if (!parent) return { id: this.#organization.id, names: [] };
    const parentId = this.#parents.get(id.toLowerCase()) ?? (await this.#askParent(kind, id));
    if (parentId === undefined) return undefined;
    const place = await this.find(parent, parentId);
    return "isGone" in place
      ? place
      : { id: place.resource.id, names: [...place.parentNames, place.resource.name] };
  }

  /** The id of the parent as the server has it; undefined where the resource does not exist. */
  async #askParent(kind: Kind, id: string): Promise<string | undefined> {
    if (!uuid.test(id)) return undefined;
    const response = await absentWhenNotFound(this.#reader.client.get(kind.requests.one(id, "")));
    return isFields(response) ? parentIdIn(kind, response) : undefined;
  }

  async #listOf(kind: Kind, { id, names }: Parent): Promise<Contents | undefined> {
    const { live, client } = this.#reader;
    const contents = await live.listOf(client, kind, id);
    if (!contents && !kind.parent) throw unknownOrganization(this.#organization);
    // Kinds with the same path share one list.
    if (contents) this.#lists.set(kind.listing.path(id), { contents, parentNames: names });
    return contents;
  }
}

function nameless({ kind, name }: LiveResource): Absence | undefined {
  const mistake = nameMistake(name);
  return (
    mistake && {
      isGone: false,
      why: `the name of the ${kind.name} ${mistake.message}`,
      advice: "give it another name in the web console",
    }
  );
}

function ambiguous({ kind }: LiveResource, duplicates: readonly LiveResource[]): Absence | undefined {
  return duplicates.length < 2
    ? undefined
    : {
        isGone: false,
        why: `the API has ${duplicates.length} resources of the kind ${kind.name} with its name: ${duplicates.map((duplicate) => duplicate.id).join(" and ")}`,
        advice: "delete or rename all but one of them",
      };
}
