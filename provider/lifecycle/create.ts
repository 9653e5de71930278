import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { type Contents, type LiveResource, parentIdIn, readOne } from "../../core/live/index.ts";
import { mayBeRewritten, nameKey } from "../../core/names.ts";
import {
  type Done,
  OperationError,
  type ResourcePlace,
  type Run,
  findByName,
  isNew,
  limited,
} from "../../core/operations/index.ts";
import { withoutParts } from "../../core/parts/index.ts";
import { type ClonedService, servicesOfClone } from "../../core/rules/clone.ts";
import { moveOf } from "../../core/rules/place.ts";
import { isAsCreated } from "../../core/rules/spelling.ts";
import { RefusedError, UnfinishedError } from "./errors.ts";
import { type ProgramChange, carryOut } from "./gate.ts";
import { type Properties, type StatedInputs, engineProperties, isCreated, readInputs } from "./inputs.ts";
import { boundTwice } from "./ledger.ts";
import { liveAfter, withChangedValues } from "./live.ts";
import { memoryOf, memoryOutputs, outputsOf, parentProperty, withShown } from "./outputs.ts";
import { type ProgramQuestion, askServer, changeOf, creationOf } from "./question.ts";
import type { ProviderSession } from "./session.ts";
import { readingAround, readingReferences, withEmptyParts } from "./world.ts";

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
): Promise<{ id: string; outs: Properties; unkept: Done["unkept"] }> {
  const stated = readInputs(kind, news);
  const { name } = stated;
  const parentId = await session.parentIdOf(stated.parentId);
  if (!session.ledger.claim({ kind, parentId, name }, resource)) {
    throw new RefusedError(
      `another resource of this program is a ${kind.name} with the name "${name}" in the same ${kind.parent?.name ?? "organization"}; choose another name: names that differ only in case are the same`,
    );
  }
  const memory = memoryOf(stated);
  let known: string | undefined;
  try {
    const { done, id, live, fields } = await make({
      session,
      kind,
      parentId,
      stated,
      resource,
      run: limited(session.run, limit),
      onId: (made) => (known = made),
    });
    known = id;
    if (live === undefined) session.ledger.note("made", id, resource, { kind: kind.name });
    const made = await liveAfter(session, { kind, parentId, before: live, done, memory, fields });
    const outs = outputsOf(made, memory, fields);
    return {
      id,
      outs: withShown(kind, outs, session.shown.get(id)),
      unkept: done?.unkept,
    };
  } catch (error) {
    const remembered = (isUnclear: boolean): Properties => ({
      ...engineProperties(news),
      ...withShown(
        kind,
        memoryOutputs(kind, name, parentId, { ...memory, isUnfinished: true, isUnclear }),
        session.shown.get(known ?? ""),
      ),
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
    throw UnfinishedError.after(
      "unclear",
      remembered(true),
      "it is unknown whether it has been created",
      error,
    );
  }
}

/** A resource that will be created, cloned or taken over. */
export interface Creating {
  session: ProviderSession;
  kind: Kind;
  parentId: string;
  stated: StatedInputs;
  /** Its name in the program; undefined if that is not known. */
  resource: string | undefined;
  /** With the time limits of the resource. */
  run: Run;
  /** To be called as soon as the resource may exist, so that the state keeps it. */
  onId(id: string): void;
}

/** The new resource, and the fields of its creation, references looked up. */
export interface MadeResource {
  /** Undefined where a resource was taken over that is as the program states it. */
  done: Done | undefined;
  id: string;
  /** The resource that was taken over. */
  live?: LiveResource;
  fields: Fields;
}

/** Creates, clones or takes over a resource as its inputs say. */
export async function make(making: Creating): Promise<MadeResource> {
  const { session, kind, stated, resource } = making;
  const adoptable = stated.adoptId === undefined ? undefined : await findAdoptable(making, stated.adoptId);
  if (adoptable) return takeOver(making, adoptable);
  const occupant = await findOccupant(making);
  const isRetried = session.ledger.isRetried(placeIn(making)) || (await isInterrupted(making, occupant));
  const isContinued = isRetried && stated.cloneFrom !== undefined;
  if (!occupant || isContinued) return createNew(making);
  // The state has it already, and waits for its successor: a replacement whose deletion was left out was undone.
  const isOwn = session.ledger.isOwn(occupant.id, resource);
  // A resource that is there from the start is never created, as the planner says.
  const adopts = stated.adopt || session.settings.adopt || !isCreated(kind);
  if (adopts || isRetried || isOwn) return takeOver(making, occupant);
  refuseBound(making, occupant.id);
  throw new RefusedError(
    `the name is taken: there is a ${kind.name} "${occupant.name}" (${occupant.id}) already; if it was another resource of this program, add \`aliases\` with the earlier name; otherwise set \`adopt: true\` to take it over (or INFRASYNC_ADOPT=true, for all resources of a run), or choose another name; if it is to be replaced, set \`deleteBeforeReplace: true\` on the resource`,
  );
}

function placeIn({ kind, parentId, stated: { name } }: Creating): ResourcePlace {
  return { kind, parentId, name };
}

/**
 * Whether an earlier run of this stack was killed while it created a resource: it has been created since that began, as the
 * program states it. What shows its value once is not taken over, because nobody knows that value.
 */
async function isInterrupted(making: Creating, occupant: LiveResource | undefined): Promise<boolean> {
  const { session, kind, parentId, stated, resource } = making;
  const since = session.begun.begunAt(placeIn(making), resource, session.client.serverTime);
  if (!occupant || since === undefined || kind.shownOnce !== undefined || !isNew(occupant, since))
    return false;
  // A clone gets its overrides after it has been made; whether it is a copy is asked where it is continued.
  if (stated.cloneFrom !== undefined) return true;
  const fields = withoutParts(kind, stated.fields);
  const question = changeOf({ ...occupant, parentId }, stated, fields);
  const { action } = await askServer(session, question, readingReferences);
  return (
    action !== undefined && isAsCreated({ kind, fields: action.stated, isClone: false }, occupant.fields)
  );
}

/** The resource that has the name, read afresh. */
async function findOccupant(making: Creating): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const children = await session.listOf(kind, parentId);
  if (!children) {
    throw new RefusedError(
      `its parent, the ${kind.parent?.name ?? "organization"} ${parentId}, does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
    );
  }
  const listed = findByName(placeIn(making), children);
  return listed && readOne(session.client, kind, listed.id, parentId);
}

/** Refuses a live resource that belongs to another resource of the program. */
function refuseBound(making: Creating, id: string): void {
  const { session, kind, resource } = making;
  if (session.ledger.isReplaced(id)) throw new RefusedError(stillThere(making, id));
  if (session.ledger.isOfAnother(id, resource)) throw boundTwice(kind, id);
}

/** The error of a replacement whose predecessor still exists: names are unique. */
function stillThere({ kind, stated }: Creating, id: string): string {
  return `"${stated.name}" cannot be created before the ${kind.name} that it replaces (${id}) is deleted, because names are unique; undo the change and run \`pulumi up\`, remove \`deleteBeforeReplace: false\` or \`retainOnDelete: true\` and run it again, and then make the change, or give it another name`;
}

/** The live resource of that id; undefined when it was the predecessor of this resource and has been deleted. */
async function findAdoptable(making: Creating, id: string): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const live = await readOne(session.client, kind, id, parentId);
  if (!live && session.ledger.isReplaced(id)) return undefined;
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${id}; correct adoptId, or leave it out`);
  const member = parentProperty(kind);
  for (const { before, replaces } of moveOf(
    kind,
    member,
    parentIdIn(kind, live.response) ?? parentId,
    parentId,
  ))
    throw new RefusedError(
      `the ${kind.name} ${id} is in another ${kind.parent?.name ?? "organization"} (${String(before)}), and ${replaces}; correct ${member} or adoptId`,
    );
  return live;
}

async function takeOver(making: Creating, live: LiveResource): Promise<MadeResource> {
  const { session, kind, stated, parentId } = making;
  refuseBound(making, live.id);
  session.ledger.note("adopted", live.id, making.resource, { kind: kind.name });
  // Another process may have done the same.
  if (making.resource !== undefined) refuseBound(making, live.id);
  const base = withEmptyParts({ ...live, parentId });
  const { action, done } = await carryOut(
    session,
    {
      question: changeOf(base, stated, withChangedValues(kind, stated.fields, {})),
      may: readingAround,
      freshly: () => ({ live: { ...live, parentId } }),
      refusal: `the ${kind.name} "${live.name}" (${live.id}) cannot be taken over: `,
    },
    making.run,
  );
  return { done, id: live.id, live, fields: action.expected };
}

/**
 * Makes a new resource, of which the next run knows if this one is killed: an error reaches the state, or means that there is
 * none. Of those that are named like it, one that no resource of the program has may be the same.
 */
async function createNew(making: Creating): Promise<MadeResource> {
  const { session, run, kind, parentId, stated, resource, onId } = making;
  const place = placeIn(making);
  session.begun.begin(place, resource, session.client.serverTime);
  try {
    const source = await sourceOf(making);
    const listed = (await session.listOf(kind, parentId)) ?? nothing;
    // A clone that an earlier run has requested may be there; to continue it is to make it.
    const isIt = (each: LiveResource) => each.kind === kind && nameKey(each.name) === nameKey(stated.name);
    const beside = { ...listed, resources: listed.resources.filter((each) => !isIt(each)) };
    const others = beside.resources
      .filter(({ id, name }) => session.ledger.has(id) || !mayBeRewritten(stated.name, name))
      .map(({ name }) => name);
    const change: ProgramChange = {
      question: creationOf(kind, { ...stated, parentId }, { beside, others, ...(source && { source }) }),
      may: readingAround,
      freshly: () => ({ onId }),
      ...(source && { refusal: `a clone of "${source.live.name}" (${source.live.id}) is not possible: ` }),
    };
    const { action, done } = await carryOut(session, change, run);
    if (!done) throw new Error(`internal error: the ${kind.name} was not created; please report it`);
    refuseBound(making, done.id);
    return { done, id: done.id, fields: action.expected };
  } catch (error) {
    session.begun.settle(place);
    throw error;
  }
}

/** The source of a clone, and what is in it; undefined where there is none. */
async function sourceOf({
  session,
  kind,
  parentId,
  stated: { cloneFrom },
}: Creating): Promise<ProgramQuestion["source"]> {
  if (cloneFrom === undefined) return undefined;
  const live = await readOne(session.client, kind, cloneFrom, parentId);
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${cloneFrom} to clone; correct cloneFrom`);
  return { live, contents: (await session.run.freshLists.read(kind, cloneFrom)) ?? nothing };
}

const nothing: Contents = { resources: [], unknown: [] };

/** The services that a clone of a resource contains when it is complete. */
export async function contentsOf(
  session: ProviderSession,
  kind: Kind,
  sourceId: string,
): Promise<ClonedService[]> {
  const children = await session.run.freshLists.read(kind, sourceId);
  return servicesOfClone(children?.resources ?? [], children?.unknown ?? []);
}
