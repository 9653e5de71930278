import { type Client, unexpectedAnswer } from "../../api/index.ts";
import { type Fields, isFields } from "../../values/json.ts";
import { kindOf } from "../../model/kinds/index.ts";
import type { PartListing } from "../../model/parts/index.ts";
import type { Contents, ListPlace } from "./contents.ts";
import type { LiveResource } from "./resource.ts";
import { togetherWitness } from "./witnesses.ts";

/** A resource that has parts. */
export type LivePartOwner = Pick<LiveResource, "kind" | "id" | "parentId"> &
  Partial<Pick<LiveResource, "name">>;

/** Reads the entries of a list of parts: one request. */
export async function readListing(
  client: Client,
  { path, query, together, entriesIn }: PartListing,
  owner?: LivePartOwner,
): Promise<Fields[]> {
  const notes = {
    ...(together && { witnesses: [togetherWitness(client, together)] }),
    ...(owner && { of: `of ${owner.kind.name} ${owner.name ?? owner.id}` }),
  };
  if (!entriesIn) return (await client.list(path, query, notes)).filter((entry) => isFields(entry));
  const answer = await client.get(path, query);
  if (isFields(answer)) return entriesIn(answer);
  throw unexpectedAnswer(path, "it is not an object");
}

/** The list of siblings that has the parts; undefined if they have a list of their own. */
export function siblingList({ siblings }: PartListing, parentId: string): ListPlace | undefined {
  return siblings === undefined ? undefined : { kind: kindOf(siblings), parentId };
}

/** The answers about resources. */
export function responsesOf(contents: Contents | undefined): Fields[] {
  return (contents?.resources ?? []).map(({ response }) => response);
}

/** Contents with other answers about the resources. */
export function withResponses(
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

/** Keeps equal entries of several lists once, by their ids: the API says of each service what it says of its siblings. */
export class SharedEntries {
  readonly #entries = new Map<unknown, WeakRef<Fields>>();
  readonly #unused = new FinalizationRegistry((id) => this.#entries.delete(id));

  /** The entry as another list has it, if that is the same. */
  once(entry: Fields): Fields {
    const known = this.#entries.get(entry["id"])?.deref();
    if (known && isSame(known, entry)) return known;
    this.#entries.set(entry["id"], new WeakRef(entry));
    this.#unused.register(entry, entry["id"]);
    return entry;
  }
}

function isSame(one: Fields, other: Fields): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
