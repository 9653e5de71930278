import { compare } from "../../core/fields/compare.ts";
import { overlay, withoutElementIds } from "../../core/fields/overlay.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { parentIdIn, type LiveResource, readOne, sameId } from "../../core/live/index.ts";
import { type Done, findByName, isNew, type Run } from "../../core/operations/index.ts";
import { cloneResource, createResource, updateFrom } from "../../core/operations/writes.ts";
import { withoutParts } from "../../core/parts/index.ts";
import { mayBeRewritten } from "../../core/names.ts";
import { type ClonedService, servicesOfClone } from "../../core/rules/clone.ts";
import { staysInParent } from "../../core/rules/place.ts";
import { isAsCreated, respelled } from "../../core/rules/spelling.ts";
import { boundTwice } from "./bindings.ts";
import { RefusedError } from "./errors.ts";
import { endOf, withEnd } from "./expiry.ts";
import { isCreated, type StatedInputs } from "./inputs.ts";
import { refuseLast } from "./keeps-one.ts";
import { refuseMissingSiblings } from "./siblings.ts";
import { lossesOf, refuseLosses } from "./losses.ts";
import { immovable, immovableInClone, objections, refuse } from "./possible.ts";
import type { ProviderSession } from "./session.ts";

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
  done: Done;
  fields: Fields;
  /** When a new clone ends. */
  expiresAt?: string | undefined;
}

/** Creates, clones or takes over a resource as its inputs say. */
export async function make(making: Creating): Promise<MadeResource> {
  const { session, kind, stated } = making;
  await refuseMissingSiblings(session, kind, making.parentId, stated.fields);
  const adoptable = stated.adoptId === undefined ? undefined : await findAdoptable(making, stated.adoptId);
  if (adoptable) return takeOver(making, adoptable);
  const occupant = await findOccupant(making);
  if (!isCreated(kind)) return takeOver(making, occupant ?? (await refuseGiven(making)));
  const place = { kind, parentId: making.parentId, name: stated.name };
  const isRetried =
    session.bindings.isRetried(place) || (occupant !== undefined && (await isInterrupted(making, occupant)));
  const isClone = stated.cloneFrom !== undefined;
  // Continue a clone that an earlier pass has requested.
  if (occupant && !(isRetried && isClone)) {
    // The state has it already, and waits for its successor: a replacement whose deletion was left out was undone.
    const isOwn = session.bindings.isOwn(occupant.id, making.resource);
    if (stated.adopt || session.settings.adopt || isRetried || isOwn) return takeOver(making, occupant);
    refuseBound(making, occupant.id);
    throw new RefusedError(
      `the name is taken: there is a ${kind.name} "${occupant.name}" (${occupant.id}) already; if it was another resource of this program, add \`aliases\` with the earlier name; otherwise set \`adopt: true\` to take it over (or INFRASYNC_ADOPT=true, for all resources of a run), or choose another name; if it is to be replaced, set \`deleteBeforeReplace: true\` on the resource`,
    );
  }
  if (!occupant) await refuseAnotherName(making);
  const made = await noted(making, () =>
    stated.cloneFrom === undefined ? createNew(making) : createClone(making, stated.cloneFrom),
  );
  refuseBound(making, made.done.id);
  return made;
}

/** Refuses another name of a resource that is there from the start. */
async function refuseGiven({ session, kind, parentId, stated }: Creating): Promise<never> {
  const there = (await session.listOf(kind, parentId))?.resources.map(({ name }) => name).join(", ");
  throw new RefusedError(
    `there is no ${kind.name} "${stated.name}", and none is ever created; write name: ${there}, and run \`pulumi up\` with another name to rename it`,
  );
}

/** Creates a resource, of which the next run knows if this one is killed. An error reaches the state, or means that there is none. */
async function noted<Result>(
  { session, kind, parentId, stated, resource }: Creating,
  create: () => Promise<Result>,
): Promise<Result> {
  const place = { kind, parentId, name: stated.name };
  session.begun.begin(place, resource, session.client.serverTime);
  try {
    return await create();
  } catch (error) {
    session.begun.settle(place);
    throw error;
  }
}

/**
 * Whether an earlier run of this stack was killed while it created a resource: it has been created since that began, as the
 * program states it. What shows its value once is not taken over, because nobody knows that value.
 */
async function isInterrupted(
  { session, kind, parentId, stated, resource }: Creating,
  occupant: LiveResource,
): Promise<boolean> {
  const place = { kind, parentId, name: stated.name };
  const since = session.begun.begunAt(place, resource, session.client.serverTime);
  if (since === undefined || kind.shownOnce !== undefined || !isNew(occupant, since)) return false;
  const fields = await session.resolve(kind, withoutParts(kind, stated.fields), occupant.fields);
  // A clone gets its overrides after it has been made; whether it is a copy is asked where it is continued.
  return stated.cloneFrom !== undefined || isAsCreated({ kind, fields, isClone: false }, occupant.fields);
}

/** The resource that has the name, read afresh. */
async function findOccupant({
  session,
  kind,
  parentId,
  stated,
}: Creating): Promise<LiveResource | undefined> {
  const children = await session.listOf(kind, parentId);
  if (!children) {
    throw new RefusedError(
      `its parent, the ${kind.parent?.name ?? "organization"} ${parentId}, does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
    );
  }
  const listed = findByName({ kind, parentId, name: stated.name }, children);
  return listed && readOne(session.client, kind, listed.id, parentId);
}

/**
 * Refuses a creation if an earlier pass has probably created the resource and the server has changed the spelling of
 * its name: a resource with such a name and the wanted fields exists and belongs to no resource of the program.
 */
async function refuseAnotherName({ session, kind, parentId, stated }: Creating): Promise<void> {
  const siblings = (await session.listOf(kind, parentId))?.resources ?? [];
  const others = siblings.filter(
    (sibling) =>
      sibling.kind === kind &&
      mayBeRewritten(stated.name, sibling.name) &&
      session.bindings.of(sibling.id) === undefined,
  );
  for (const { id, name, fields } of others) {
    const wanted = await session.resolve(kind, withoutParts(kind, stated.fields), fields);
    const isClone = stated.cloneFrom !== undefined;
    if (!isAsCreated({ kind, fields: wanted, isClone }, fields)) continue;
    throw new RefusedError(
      `${respelled({ name, id })}; name it "${name}" and set \`adopt: true\` to take it over, or delete it`,
    );
  }
}

/** Refuses a live resource that belongs to another resource of the program. */
function refuseBound(making: Creating, id: string): void {
  const binding = making.session.bindings.of(id);
  if (binding === "replaced") throw new RefusedError(stillThere(making, id));
  if (binding === "kept" && making.session.bindings.isOwn(id, making.resource)) return;
  if (binding !== undefined) throw boundTwice(making.kind, id);
}

/** The error of a replacement whose predecessor still exists: names are unique. */
function stillThere({ kind, stated }: Creating, id: string): string {
  return `"${stated.name}" cannot be created before the ${kind.name} that it replaces (${id}) is deleted, because names are unique; undo the change and run \`pulumi up\`, remove \`deleteBeforeReplace: false\` or \`retainOnDelete: true\` and run it again, and then make the change, or give it another name`;
}

/** The live resource of that id; undefined when it was the predecessor of this resource and has been deleted. */
async function findAdoptable(making: Creating, id: string): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const live = await readOne(session.client, kind, id, parentId);
  if (!live && session.bindings.of(id) === "replaced") return undefined;
  if (!live)
    throw new RefusedError(`there is no ${kind.name} with the id ${id}; correct adoptId, or leave it out`);
  const itsParentId = parentIdIn(kind, live.response);
  if (itsParentId !== undefined && !sameId(itsParentId, parentId)) {
    throw new RefusedError(
      `the ${kind.name} ${id} is in another ${kind.parent?.name ?? "organization"} (${itsParentId}), and ${staysInParent(kind)}; correct ${kind.parentMember ?? "the organization"} or adoptId`,
    );
  }
  return live;
}

async function takeOver(making: Creating, live: LiveResource): Promise<MadeResource> {
  const { session, kind, stated } = making;
  refuseBound(making, live.id);
  session.bindings.adopt(live.id);
  const fields = await session.resolve(kind, stated.fields, live.fields);
  refuse(`the ${kind.name} "${live.name}" (${live.id}) cannot be taken over: `, [
    ...immovable(kind, live.fields, fields),
    ...objections(kind, { how: "update", current: live.fields, stated: fields }),
  ]);
  await refuseLast(session, kind, live, overlay(kind.fields, live.fields, fields));
  const subject = { kind, id: live.id, parentId: making.parentId, names: [live.name, stated.name] };
  const done = await updateFrom(making.run, live, {
    stated: fields,
    name: stated.name,
    allow: (changes) => refuseLosses(session, subject, lossesOf(kind, changes)),
  });
  return { done, fields };
}

async function createNew({ session, run, kind, parentId, stated }: Creating): Promise<MadeResource> {
  const resolved = await session.resolve(kind, stated.fields, undefined);
  refuse("", objections(kind, { how: "create", current: undefined, stated: resolved }));
  const fields = overlay(kind.fields, undefined, resolved);
  const done = await createResource(run, { kind, parentId, name: stated.name, fields });
  return { done, fields };
}

async function createClone(
  { session, run, kind, parentId, stated, onId }: Creating,
  sourceId: string,
): Promise<MadeResource> {
  const source = await readOne(session.client, kind, sourceId, parentId);
  if (!source)
    throw new RefusedError(`there is no ${kind.name} with the id ${sourceId} to clone; correct cloneFrom`);
  const fields = await session.resolve(kind, stated.fields, source.fields);
  refuse(`a clone of "${source.name}" (${sourceId}) is not possible: `, [
    ...immovableInClone(kind, source.fields, fields),
    ...objections(kind, { how: "clone", current: source.fields, stated: fields }),
  ]);
  const contents = await contentsOf(session, kind, sourceId);
  const expiresAt = endOf(stated, session.now);
  const marked = withEnd(fields, stated, expiresAt);
  const before = withoutElementIds(kind.fields, source.fields);
  const expected = overlay(kind.fields, before, fields);
  const planned = { changes: compare(kind.fields, before, expected), expected };
  const cloning = { kind, parentId, name: stated.name, sourceId, stated: marked, planned, contents };
  return { done: await cloneResource(run, cloning, onId), fields, expiresAt };
}

/** The services that a clone of a resource contains when it is complete. */
export async function contentsOf(
  session: ProviderSession,
  kind: Kind,
  sourceId: string,
): Promise<ClonedService[]> {
  const children = await session.run.freshLists.read(kind, sourceId);
  return servicesOfClone(children?.resources ?? [], children?.unknown ?? []);
}
