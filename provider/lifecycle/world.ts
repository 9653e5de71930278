import { type Fields, own, textIn } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import {
  type Contents,
  type Known,
  type LiveResource,
  type Needs,
  isOnDemand,
  listKey,
  parentIdIn,
  withResource,
} from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";
import { type Part, listingKey, statedParts } from "../../core/parts/index.ts";
import type { LiveState } from "../../core/plan/index.ts";
import { RefusedError } from "./errors.ts";
import { type Properties, fieldsAmong } from "./inputs.ts";
import { parentProperty } from "./outputs.ts";
import type { ProviderSession } from "./session.ts";

/**
 * What is known of the server when one resource of a program is planned: the resource as its state has it, those above it, and
 * the lists that have been read for it. What is in no list that has been read is unknown.
 */
export class World {
  readonly organizationId: string;
  readonly #now: number;
  readonly #contents = new Map<string, Contents>();
  readonly #lists = new Map<string, Contents>();
  readonly #parts = new Map<string, readonly Fields[]>();
  readonly #defaults = new Map<string, readonly Fields[]>();
  readonly #incomplete = new Set<string>();
  readonly #added: LiveResource[] = [];
  /** Whether the state shows that the server has shown a member. */
  readonly #shows: LiveState["shows"];

  /** @param above from the top down */
  constructor(
    organizationId: string,
    above: readonly LiveResource[],
    now = Date.now(),
    shows?: LiveState["shows"],
  ) {
    this.#shows = shows;
    this.organizationId = organizationId;
    this.#now = now;
    for (const resource of above) this.add(resource);
  }

  /** Adds a resource that is known without its list, or otherwise than its list shows it. */
  add(resource: LiveResource): void {
    this.#added.push(resource);
    const [lists, key] = this.#placeOf(resource);
    const known = lists.get(key);
    if (!known) this.#incomplete.add(key);
    lists.set(key, withResource(known ?? { resources: [], unknown: [] }, resource));
  }

  /** Enters a list that has been read. */
  enter(kind: Kind | undefined, parentId: string, contents: Contents): void {
    const [lists, key] = kind ? this.#placeOf({ kind, parentId }) : [this.#contents, parentId];
    const others = this.#added.filter((each) => this.#placeOf(each)[1] === key);
    lists.set(key, others.reduce(withResource, contents));
    this.#incomplete.delete(key);
  }

  /** Whether a resource is another one, or in it, all levels deep. */
  isWithin(id: string, outerId: string | undefined): boolean {
    if (id === outerId) return true;
    for (const { resources } of [...this.#contents.values(), ...this.#lists.values()]) {
      const found = resources.find((each) => each.id === id);
      if (found) return this.isWithin(found.parentId, outerId);
    }
    return false;
  }

  /** All that is known. */
  state(): LiveState {
    return {
      organization: { id: this.organizationId },
      now: this.#now,
      contents: new Map(this.#contents),
      lists: new Map(this.#lists),
      parts: new Map(this.#parts),
      defaults: new Map(this.#defaults),
      statuses: new Map(),
      incomplete: new Set(this.#incomplete),
      ...(this.#shows && { shows: this.#shows }),
    } satisfies Known & Partial<LiveState>;
  }

  /** Reads what is needed, and what a question may read. False if that is nothing. */
  async read(session: ProviderSession, needs: Needs, may: WorldReading): Promise<boolean> {
    const { client } = session;
    const { live } = session.run;
    const listOf = async (kind: Kind, parentId: string) => {
      const id = parentId === this.organizationId ? await session.parentIdOf(undefined) : parentId;
      return may.fresh ? live.rereadList(client, kind, id) : live.listOf(client, kind, id);
    };
    const contentsOf = (kind: Kind | undefined, id: string) =>
      may.fresh ? live.reread(client, kind, id) : live.contentsOf(client, kind, id);
    const reads: Promise<void>[] = [];
    const list = async (kind: Kind | undefined, parentId: string, read: Promise<Contents | undefined>) =>
      this.enter(kind, parentId, (await read) ?? { resources: [], unknown: [] });
    if (needs.organization && may.list(this.organizationId))
      reads.push(list(undefined, this.organizationId, contentsOf(undefined, this.organizationId)));
    for (const { kind, id } of needs.contents)
      if (may.list(id)) reads.push(list(undefined, id, live.contentsOf(client, kind, id)));
    for (const { kind, parentId } of needs.lists.values())
      if (may.list(parentId, kind)) reads.push(list(kind, parentId, listOf(kind, parentId)));
    for (const [owner, parts] of needs.parts)
      if (may.parts(owner)) reads.push(this.#readParts(owner, [...parts], session));
    for (const [key, listing] of may.defaults ? needs.defaults : [])
      reads.push(live.defaultsAt(client, listing).then((listed) => void this.#defaults.set(key, listed)));
    await Promise.all(reads);
    return reads.length > 0;
  }

  async #readParts(owner: LiveResource, parts: readonly Part[], session: ProviderSession): Promise<void> {
    const lists = await session.run.live.rereadParts(session.client, owner, parts);
    for (const part of parts) {
      const key = listingKey(part.listing(owner.id, owner.parentId));
      this.#parts.set(key, lists?.get(key) ?? []);
    }
  }

  #placeOf({ kind, parentId }: Pick<LiveResource, "kind" | "parentId">): [Map<string, Contents>, string] {
    return isOnDemand(kind) ? [this.#lists, listKey({ kind, parentId })] : [this.#contents, parentId];
  }
}

/** What may be read to answer a question. */
export interface WorldReading {
  /** The lists in a parent. @param onDemand the kind whose list it is, if that is read on demand only */
  list(parentId: string, onDemand?: Kind): boolean;
  /** The parts of a resource. */
  parts(owner: LiveResource): boolean;
  defaults?: true;
  /** Whether lists are read again that are known already: a write depends on them. */
  fresh?: true;
}

/** The resources above one, of which a state tells nothing but the id of the parent. */
export function unnamedAbove({ parent }: Kind, parentId: string): LiveResource[] {
  if (!parent) return [];
  const itsParentId = `${parentId} above`;
  const empty = { fields: {}, response: {} };
  return [
    ...unnamedAbove(parent, itsParentId),
    { kind: parent, id: parentId, name: parentId, parentId: itsParentId, ...empty },
  ];
}

/**
 * The resources above one, from the top down: with the names that they have on the server, and, where the state or the program
 * gives them others, once more with these. One request for each, once in a run.
 */
export async function namedAbove(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
): Promise<LiveResource[][]> {
  const live = await chainAbove(session, kind, parentId);
  const others = live.map((each) => {
    const names = session.ledger.namesOf(each.id);
    const name = names.find((one) => nameKey(one) !== nameKey(each.name));
    return name === undefined ? each : { ...each, name };
  });
  return others.some((each, index) => each !== live[index]) ? [live, others] : [live];
}

async function chainAbove(
  session: ProviderSession,
  { parent }: Kind,
  parentId: string,
): Promise<LiveResource[]> {
  if (!parent) return [];
  const live = await session.holder(parent, parentId);
  if (!live)
    throw new RefusedError(
      `the ${parent.name} ${parentId} does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
    );
  const itsParentId = parentIdIn(parent, live.response) ?? "";
  return [...(await chainAbove(session, parent, itsParentId)), { ...live, parentId: itsParentId }];
}

/** The resource as its state has it. Of its parts, the state has what the program states. */
export function stateOf(kind: Kind, id: string, olds: Properties): LiveResource {
  return withEmptyParts({
    kind,
    id,
    name: textIn(olds, "name") ?? "",
    parentId: textIn(olds, parentProperty(kind)) ?? "unknown",
    fields: fieldsAmong(kind, olds),
    response: {},
  });
}

/** A resource that has no parts but those among its fields. */
export function withEmptyParts(resource: LiveResource): LiveResource {
  const { kind, fields } = resource;
  const unstated = statedParts(kind).filter(
    ({ member, form }) => !form.isSingle && own(fields, member) === undefined,
  );
  return {
    ...resource,
    fields: { ...fields, ...Object.fromEntries(unstated.map(({ member }) => [member, {}])) },
  };
}
