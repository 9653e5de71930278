import type { Fields } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { type Contents, type LiveResource, parentIdIn, readOne } from "../../core/state/live/index.ts";
import { mayBeRewritten, nameKey } from "../../core/model/addresses/names.ts";
import {
  type WriteResult,
  findByName,
  isNew,
  limited,
  OperationError,
  type ResourcePlace,
  type Run,
} from "../../core/operations/index.ts";
import { withChangedValues, withoutParts } from "../../core/model/parts/index.ts";
import { withEmptyParts } from "../../core/execution/session/index.ts";
import type { HolderKind } from "../../core/problems/remedy.ts";
import { moveOf } from "../../core/rules/place.ts";
import { isAsCreated } from "../../core/rules/spelling.ts";
import { unkeptBy } from "./details.ts";
import { RefusedError, UnfinishedError } from "./errors.ts";
import { carryOut, refuse } from "./gate.ts";
import { engineProperties, isCreated, type Properties, readInputs, type ParsedInputs } from "./inputs.ts";
import { liveAfter } from "./live.ts";
import { memoryOf, memoryOutputs, outputsOf, parentProperty, withShown } from "./outputs.ts";
import type { WrittenResource } from "./program-resource.ts";
import {
  askServer,
  changeOf,
  creationOf,
  type ProgramQuestion,
  readingAround,
  readingReferences,
} from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import { heldObjection } from "./words.ts";

/** A resource that will be created, cloned or taken over. */
interface CreateCall extends ResourcePlace {
  session: ProviderSession;
  stated: ParsedInputs;
  /** Its name in the program; undefined if that is not known. */
  resource: string | undefined;
  /** With the time limits of the resource. */
  run: Run;
  /** To be called as soon as the resource may exist, so that the state keeps it. */
  onId(id: string): void;
}

/** The new resource, and the fields of its creation, references looked up. */
interface CreatedResource {
  /** Undefined where a resource was taken over that is as the program states it. */
  done: WriteResult | undefined;
  id: string;
  /** The resource that was taken over. */
  before?: LiveResource;
  fields: Fields;
}

/**
 * Makes a resource: creates it, clones it, or takes it over.
 *
 * @param limit milliseconds for which it may wait
 * @throws UnfinishedError when a step after the creation has failed, and when the outcome of the creation is unknown
 */
export async function create(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
  resource?: string,
  limit?: number,
): Promise<WrittenResource & { id: string }> {
  const stated = readInputs(kind, news);
  const { name } = stated;
  const parentId = await session.parentIdOf(stated.parentId);
  const place = { kind, parentId, name };
  if (!session.ledger.claim(place, resource))
    throw new RefusedError(
      `another resource of this program is a ${kind.name} with the name "${name}" in the same ${kind.parent?.name ?? "organization"}; choose another name: names that differ only in case are the same`,
    );
  const memory = memoryOf(stated);
  let known: string | undefined;
  const shown = (outs: Properties) => withShown(kind, outs, session.shown.get(known ?? ""));
  try {
    const onId = (made: string) => void (known = made);
    const making = { ...place, session, stated, resource, run: limited(session.run, limit), onId };
    const existing = await existingFor(making);
    const made = existing ? await takeOver(making, existing) : await createNew(making);
    known = made.id;
    if (!existing) session.ledger.note("made", known, resource, { kind: kind.name });
    const live = await liveAfter(session, { kind, parentId, memory, ...made });
    return {
      id: known,
      outs: shown(outputsOf(live, memory, made.fields)),
      notes: unkeptBy(kind, news, made.done?.unkept),
    };
  } catch (error) {
    const remembered = (isUnclear: boolean): Properties => ({
      ...engineProperties(news),
      ...shown(memoryOutputs(kind, name, parentId, { ...memory, isUnfinished: true, isUnclear })),
    });
    const { code, made = [] } = error instanceof OperationError ? error : {};
    // A resource that was created twice or under another name must stay in the state, or the next `pulumi up` would
    // create one more.
    known ??= made[0];
    if (known !== undefined) {
      // The error of a pending creation already tells its progress.
      const what = code === "pending" ? "" : `it has been created (${known}), but `;
      throw UnfinishedError.after(known, remembered(false), `${what}it is not finished`, error);
    }
    if (code !== "unclear") throw error;
    const what = "it is unknown whether it has been created";
    throw UnfinishedError.after("unclear", remembered(true), what, error);
  }
}

/** A live resource that the program states as a new one, and whose it is; absent: nobody's but this resource's. */
interface ExistingResource {
  live: LiveResource;
  holder?: HolderKind | undefined;
}

/** What there is already: that of the stated id, or with the name. A clone that an earlier run has begun is continued instead. */
async function existingFor(making: CreateCall): Promise<ExistingResource | undefined> {
  const { session, kind, stated, resource } = making;
  const { ledger, settings } = session;
  const chosen = stated.adoptId === undefined ? undefined : await findAdoptable(making, stated.adoptId);
  const live = chosen ?? (await findOccupant(making));
  if (!live) return undefined;
  const isRetried = !chosen && (ledger.isRetried(making) || (await isInterrupted(making, live)));
  if (isRetried && stated.cloneFrom !== undefined) return undefined;
  const holder = holderOf(making, live.id);
  if (holder) return { live, holder };
  // A resource that is there from the start is never created; one that the state has waits for a successor that was undone.
  const adopts = chosen ?? (stated.adopt || settings.adopt || !isCreated(kind));
  return { live, ...(!adopts && !isRetried && !ledger.isOwn(live.id, resource) && { holder: "nobody" }) };
}

/** The resource of the program that has a live resource. */
function holderOf({ session: { ledger }, resource }: CreateCall, id: string): HolderKind | undefined {
  if (ledger.isReplaced(id)) return "predecessor";
  return ledger.isOfAnother(id, resource) ? "another" : undefined;
}

/**
 * Whether an earlier run of this stack was killed while it created a resource: it has been created since that began, as the
 * program states it. What shows its value once is not taken over, because nobody knows that value.
 */
async function isInterrupted(making: CreateCall, occupant: LiveResource): Promise<boolean> {
  const { session, kind, parentId, stated, resource } = making;
  const since = session.begun.begunAt(making, resource, session.client.serverTime);
  if (since === undefined || kind.shownOnce !== undefined || !isNew(occupant, since)) return false;
  // A clone gets its overrides after it has been made; whether it is a copy is asked where it is continued.
  if (stated.cloneFrom !== undefined) return true;
  const question = changeOf({ ...occupant, parentId }, stated, withoutParts(kind, stated.fields));
  const { action } = await askServer(session, question, readingReferences);
  return (
    action !== undefined && isAsCreated({ kind, fields: action.stated, isClone: false }, occupant.fields)
  );
}

/** The resource that has the name, read afresh. */
async function findOccupant(making: CreateCall): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const children = await session.listOf(kind, parentId);
  if (!children)
    throw new RefusedError(
      `its parent, the ${kind.parent?.name ?? "organization"} ${parentId}, does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
    );
  const isListed = findByName(making, children) !== undefined;
  const listed = isListed ? children : await session.completeListOf(kind, parentId);
  const occupant = findByName(making, listed);
  return occupant && readOne(session.client, kind, occupant.id, parentId);
}

/** The live resource of that id; undefined when it was the predecessor of this resource and has been deleted. */
async function findAdoptable(making: CreateCall, id: string): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const live = await readOne(session.client, kind, id, parentId);
  if (!live && session.ledger.isReplaced(id)) return undefined;
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${id}; correct adoptId, or leave it out`);
  const member = parentProperty(kind);
  const [move] = moveOf(kind, member, parentIdIn(kind, live.response) ?? parentId, parentId);
  if (move)
    throw new RefusedError(
      `the ${kind.name} ${id} is in another ${kind.parent?.name ?? "organization"} (${String(move.before)}), and ${move.replaces}; correct ${member} or adoptId`,
    );
  return live;
}

/** Makes a live resource that of the program, as the planner says of what exists already. */
async function takeOver(
  making: CreateCall,
  { live: found, holder }: ExistingResource,
): Promise<CreatedResource> {
  const { session, kind, stated, parentId, resource, run } = making;
  const { ledger } = session;
  const live = { ...found, parentId };
  if (!holder) ledger.note("adopted", live.id, resource, { kind: kind.name });
  // Another process may have done the same.
  const isLate = () => resource !== undefined && ledger.isOfAnother(live.id, resource);
  const heldBy = () => holder ?? (isLate() ? "another" : undefined);
  const question = {
    ...changeOf(withEmptyParts(live), stated, withChangedValues(kind, stated.fields, {})),
    policy: { heldBy },
  };
  const refusal = heldBy() ? "" : `the ${kind.name} "${live.name}" (${live.id}) cannot be taken over: `;
  const change = { question, may: readingAround, freshly: () => ({ live }), refusal };
  const { action, done } = await carryOut(session, change, run);
  return { done, id: live.id, before: found, fields: action.expected };
}

/**
 * Makes a new resource, of which the next run knows if this one is killed: an error reaches the state, or means that there is
 * none. Of those that are named like it, one that no resource of the program has may be the same.
 */
async function createNew(making: CreateCall): Promise<CreatedResource> {
  const { session, run, kind, parentId, name, stated, resource, onId } = making;
  const { begun, ledger } = session;
  begun.begin(making, resource, session.client.serverTime);
  try {
    const source = await sourceOf(making);
    const listed = (await session.listOf(kind, parentId)) ?? nothing;
    // A clone that an earlier run has requested may be there; to continue it is to make it.
    const isIt = (each: LiveResource) => each.kind === kind && nameKey(each.name) === nameKey(name);
    const beside = { ...listed, resources: listed.resources.filter((each) => !isIt(each)) };
    const others = beside.resources
      .filter((each) => ledger.has(each.id) || !mayBeRewritten(name, each.name))
      .map((each) => each.name);
    const change = {
      question: creationOf(kind, { ...stated, parentId }, { beside, others, ...(source && { source }) }),
      may: readingAround,
      freshly: () => ({ onId }),
      ...(source && { refusal: `a clone of "${source.live.name}" (${source.live.id}) is not possible: ` }),
    };
    const { action, done } = await carryOut(session, change, run);
    if (!done) throw new Error(`internal error: the ${kind.name} was not created; please report it`);
    const holder = holderOf(making, done.id);
    if (holder) refuse("", [heldObjection(holder, kind, { name, id: done.id })]);
    return { done, id: done.id, fields: action.expected };
  } catch (error) {
    begun.settle(making);
    throw error;
  }
}

/** The source of a clone, and what is in it; undefined where there is none. */
async function sourceOf({ session, kind, parentId, stated }: CreateCall): Promise<ProgramQuestion["source"]> {
  const { cloneFrom } = stated;
  if (cloneFrom === undefined) return undefined;
  const live = await readOne(session.client, kind, cloneFrom, parentId);
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${cloneFrom} to clone; correct cloneFrom`);
  return { live, contents: (await session.run.freshLists.read(kind, cloneFrom)) ?? nothing };
}

const nothing: Contents = { resources: [], unknown: [] };
