import { type Fields, textIn } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { type Contents, type LiveResource, type Needs, parentIdIn } from "../../core/state/live/index.ts";
import { hasUnknown, unknownValue } from "../../core/problems/unknown.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { listingKey, type Part } from "../../core/model/parts/index.ts";
import {
  type ProgramQuestion,
  type ProgramState,
  unnamedAbove,
  withEmptyParts,
} from "../../core/execution/session/index.ts";
import { withoutParent } from "./names-in-use.ts";
import { fieldsAmong, mayBeThere, type Properties } from "./inputs.ts";
import { placeKey } from "./ledger.ts";
import { parentProperty } from "./outputs.ts";
import { contentsLife, type ProviderSession } from "./session.ts";

/** The permitted reads for a plan request. */
export interface ReadPermission {
  /** @param onDemand the kind of the list, if that is read on demand only */
  list(parentId: string, onDemand?: Kind): boolean;
  parts(owner: LiveResource): boolean;
  defaults?: true;
  /** Reads known lists again, because a write depends on them. */
  fresh?: true;
  /** Reads each list once in a run, because a write reads again, and sees all but this resource as the run leaves it. */
  previews?: ProgramQuestion;
}

/** Reads needed state, as far as permitted. False if there was nothing to read. */
export async function readInto(
  state: ProgramState,
  session: ProviderSession,
  needs: Needs,
  may: ReadPermission,
): Promise<boolean> {
  const { organizationId } = state;
  const { client, ledger } = session;
  const { live } = session.run;
  const { previews } = may;
  const once = previews && Infinity;
  const age = may.fresh ? 0 : once;
  const isOther = (id: string) => previews !== undefined && id !== previews.existing?.id;
  const listOf = async (kind: Kind, parentId: string) => {
    const id = parentId === organizationId ? await session.parentIdOf(undefined) : parentId;
    return live.listOf(client, kind, id, age);
  };
  const reads: Promise<void>[] = [];
  // One that the program makes in the place of another one is no second one.
  const isOver = (each: LiveResource) =>
    isOther(each.id) &&
    (ledger.isReplaced(each.id) ||
      ledger.newIn(each.parentId).some((place) => placeKey(place) === placeKey(each)));
  const list = async (
    kind: Kind | undefined,
    parentId: string,
    read: Promise<Contents | undefined> | undefined,
  ) => {
    const { resources = [], unknown = [] } = (await read) ?? {};
    const left = resources.filter((each) => !isOver(each));
    const made = ledger.newIn(parentId === organizationId ? undefined : parentId, kind);
    const isEnd = !previews || previews.ends;
    const after = isEnd ? left : state.expected(left, made, parentId, previews, (id) => ledger.namesOf(id));
    state.enter(kind, parentId, { resources: after, unknown });
  };
  const readParts = async (owner: LiveResource, parts: readonly Part[]) => {
    // All in one parent share its list.
    const others = may.fresh ? contentsLife : (age ?? 0);
    const lists = await live.parts.read(client, owner, parts, state.above.has(owner.id) ? Infinity : others);
    for (const part of parts) {
      const key = listingKey(part.listing(owner.id, owner.parentId));
      const isFreed = (entry: Fields) => ledger.isAt(`${part.name} ${part.keyOf(entry)}`, "moved");
      const all = lists?.get(key) ?? [];
      state.parts.set(key, isOther(owner.id) ? all.filter((entry) => !isFreed(entry)) : all);
    }
  };
  if (needs.organization && may.list(organizationId))
    reads.push(list(undefined, organizationId, live.contentsOf(client, undefined, organizationId, age)));
  // A parent that the program has yet to create. It has what the program makes in it, if it is surely a new one.
  const isThere = (id: string) => !id.includes(unknownValue);
  const isOpen = (id: string) =>
    !isThere(id) && Object.values(state.above.get(id)?.fields ?? [unknownValue]).includes(unknownValue);
  for (const { kind, id } of needs.contents)
    if (!isOpen(id) && may.list(id))
      reads.push(list(undefined, id, isThere(id) ? live.contentsOf(client, kind, id, once) : undefined));
  for (const { kind, parentId: id } of needs.lists.values())
    if ((id === organizationId || !isOpen(id)) && may.list(id, kind))
      reads.push(list(kind, id, id === organizationId || isThere(id) ? listOf(kind, id) : undefined));
  for (const [owner, parts] of needs.parts)
    if (isThere(owner.id) && may.parts(owner)) reads.push(readParts(owner, [...parts]));
  for (const [key, listing] of may.defaults ? needs.defaults : [])
    reads.push(live.defaultsAt(client, listing).then((listed) => void state.defaults.set(key, listed)));
  await Promise.all(reads);
  return reads.length > 0;
}

/**
 * The parents of a resource, from the top down, with the entries that the program declares for them. For an unknown parent:
 * those that the program makes.
 *
 * @param isNamed with their live names, and once more with the names in the state or the program if they differ: one request
 *   for each, once in a run
 */
export async function parentsOf(
  session: ProviderSession,
  { kind, parentId, isFormer }: Pick<ProgramQuestion, "kind" | "parentId"> & { isFormer?: true | undefined },
  isNamed: boolean,
): Promise<LiveResource[][]> {
  const { parent } = kind;
  const { ledger, settings } = session;
  if (parent && parentId.includes(unknownValue)) {
    const made = ledger.newOnes(parent).map(async ({ declared, ...place }) => {
      const itsParentId = hasUnknown(place.parentId) ? `${parentId} above` : place.parentId;
      const unmade = { ...place, id: parentId, parentId: itsParentId, fields: {}, response: {} };
      const isNew = !isFormer && !mayBeThere(declared, settings) && declared.cloneFrom === undefined;
      const its = isNew ? withEmptyParts({ ...unmade, fields: declared.fields }) : unmade;
      const above = await parentsOf(session, { kind: parent, parentId: itsParentId, isFormer }, isNamed);
      return above.map((each) => [...each, its]);
    });
    return (await Promise.all(made)).flat();
  }
  const above = isNamed ? await chainAbove(session, kind, parentId) : unnamedAbove(kind, parentId);
  const entries = ledger.entriesFrom(parentId);
  const live = above.map((each, index) => {
    return { ...each, fields: { ...each.fields, ...entries[above.length - 1 - index] } };
  });
  const others = live.map((each) => {
    const name = ledger.namesOf(each.id).find((one) => nameKey(one) !== nameKey(each.name));
    return isNamed && name !== undefined ? { ...each, name } : each;
  });
  return others.some((each, index) => each !== live[index]) ? [live, others] : [live];
}

async function chainAbove(session: ProviderSession, kind: Kind, parentId: string): Promise<LiveResource[]> {
  const { parent } = kind;
  if (!parent) return [];
  const live = await session.holder(parent, parentId);
  if (!live) throw withoutParent(session, kind, parentId);
  const itsParentId = parentIdIn(parent, live.response) ?? "";
  return [...(await chainAbove(session, parent, itsParentId)), { ...live, parentId: itsParentId }];
}

/** The resource from its state, which has only the declared parts. */
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
