import { type Client, type Clock, UnexpectedAnswerError } from "../api/index.ts";
import { type Fields, isFields } from "../json.ts";
import { kindOf } from "../kinds/index.ts";
import { listingKey, listingsOf, type Part, type PartListing, type PartLists } from "../parts/index.ts";
import type { Contents, ListPlace } from "./contents.ts";
import type { ContentsShelves } from "./contents-shelves.ts";
import { absentWhenNotFound, type LiveResource, readOne } from "./resource.ts";
import { Shelf } from "./shelf.ts";
import type { ReadTally } from "./tally.ts";

/** A resource that has parts. */
export type LivePartOwner = Pick<LiveResource, "kind" | "id" | "parentId">;

/** The lists of parts of resources: a shelf for each resource, with each of its lists. */
export class PartShelves {
  readonly #clock: Clock;
  readonly #life: number;
  readonly #tally: ReadTally;
  readonly #contents: ContentsShelves;
  readonly #shelves = new Map<string, Shelf<readonly Fields[]>>();

  /**
   * @param life milliseconds for which a list is known, from when it has come
   * @param contents have the lists of siblings, which are shared and therefore never read afresh for one resource
   */
  constructor(clock: Clock, life: number, contents: ContentsShelves, tally: ReadTally) {
    this.#clock = clock;
    this.#contents = contents;
    this.#life = life;
    this.#tally = tally;
  }

  /** The lists that have these parts, each read if it is not known; undefined: the resource is gone. */
  read(client: Client, owner: LivePartOwner, parts: readonly Part[]): Promise<PartLists | undefined> {
    return this.#lists(client, owner, parts, "read");
  }

  /** The lists that have these parts, read afresh; undefined: the resource is gone. */
  refresh(client: Client, owner: LivePartOwner, parts: readonly Part[]): Promise<PartLists | undefined> {
    return this.#lists(client, owner, parts, "refresh");
  }

  /** Changes the entries of a list that is known or being read; undefined: forgets the list. */
  change(
    { id, parentId }: LivePartOwner,
    listing: PartListing,
    change: ((listed: readonly Fields[]) => readonly Fields[]) | undefined,
  ): void {
    const shelf = this.#shelves.get(id.toLowerCase());
    const place = placeOf(listing, parentId);
    if (place && change) this.#contents.change(place, (contents) => withResponses(contents, change));
    else if (place) this.#contents.forgetList(place);
    else if (change) shelf?.change(listingKey(listing), change);
    else shelf?.forget(listingKey(listing));
  }

  /** Forgets the lists of a resource. */
  forget(id: string): void {
    this.#shelves.delete(id.toLowerCase());
  }

  /** Forgets the lists of every resource. */
  forgetAll(): void {
    this.#shelves.clear();
  }

  /** All that is known. */
  known(): PartLists {
    return new Map([...this.#shelves.values()].flatMap((shelf) => [...shelf.known()]));
  }

  async #lists(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    how: "read" | "refresh",
  ): Promise<PartLists | undefined> {
    const { kind, id, parentId } = owner;
    const shelf = this.#shelfOf(id);
    const reading = [...listingsOf(owner, parts)].map(async ([key, listing]) => {
      const place = placeOf(listing, parentId);
      return [
        key,
        place
          ? responsesOf(await this.#contents.readList(client, place))
          : await shelf[how](key, () => readListing(client, listing)),
      ] as const;
    });
    const lists = await absentWhenNotFound(Promise.all(reading));
    if (lists) return new Map(lists);
    // A server may lack the path of the list: only a 404 of the resource itself says that the resource is gone.
    if ((await readOne(client, kind, id, parentId)) === undefined) return undefined;
    throw new UnexpectedAnswerError(
      `the server has the ${kind.name} ${id} and says that its parts do not exist`,
      { method: "GET", path: kind.requests.one(id, parentId), advice: "check the base URL" },
    );
  }

  #shelfOf(id: string): Shelf<readonly Fields[]> {
    const key = id.toLowerCase();
    const shelf =
      this.#shelves.get(key) ?? new Shelf<readonly Fields[]>(this.#clock, this.#life, this.#tally);
    this.#shelves.set(key, shelf);
    return shelf;
  }
}

/** The list of siblings that a listing is, if it is one. */
function placeOf({ siblings }: PartListing, parentId: string): ListPlace | undefined {
  return siblings === undefined ? undefined : { kind: kindOf(siblings), parentId };
}

function responsesOf(contents: Contents | undefined): Fields[] {
  return (contents?.resources ?? []).map(({ response }) => response);
}

function withResponses(
  contents: Contents,
  change: (responses: readonly Fields[]) => readonly Fields[],
): Contents {
  const changed = new Map(change(responsesOf(contents)).map((response) => [response["id"], response]));
  const resources = contents.resources.map((resource) => ({
    ...resource,
    response: changed.get(resource.id) ?? resource.response,
  }));
  return { ...contents, resources };
}

/** The entries of a list of parts: one request. */
export async function readListing(
  client: Client,
  { path, query, entriesIn }: PartListing,
): Promise<Fields[]> {
  if (!entriesIn) return (await client.list(path, query)).filter((entry) => isFields(entry));
  const answer = await client.get(path, query);
  if (isFields(answer)) return entriesIn(answer);
  throw new UnexpectedAnswerError("the server answers with a value that is not an object", {
    method: "GET",
    path,
    advice: "check the base URL",
  });
}
