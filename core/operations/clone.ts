import { writing } from "../api/write-client.ts";
import { article, timeLimit } from "../values/text.ts";
import { nameKey } from "../model/addresses/names.ts";
import { overlay } from "../model/fields/overlay.ts";
import { toRequest } from "../model/fields/wire.ts";
import { type Fields, isFields, sameJson } from "../values/json.ts";
import { type Kind, kindsInside } from "../model/kinds/index.ts";
import type { Contents, LiveResource } from "../state/live/index.ts";
import type { WriteResult, Run } from "./run.ts";
import { type PlannedCopy, refuseUnlessCopy, withoutMarks, withoutRemovals } from "./copy.ts";
import { type OperationError, unfinished, outdated, uncopied } from "./errors.ts";
import { arrival, type ResourcePlace } from "./find.ts";
import { found, madeByAnother, reasonOf, takenOver, untilListed } from "./existing-resource.ts";
import { type CreationResult, makeOnce } from "./make.ts";
import { writeThrough, writtenAs } from "./write-through.ts";
import { changesOf, updateFrom } from "./update.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";
import { Tries } from "./write.ts";
import { refuseClonesOfOthers } from "./clone-of-others.ts";

/** A clone that has been requested. */
interface RequestedClone extends ResourcePlace {
  /** The fields to overlay on the clone, in manifest form; references are `{id, name?}`. */
  declared: Fields;
  /** The services that the clone has to contain before it counts as complete. */
  contents: readonly { kind: string; name: string }[];
  /** Its name in messages, if this run has not requested it; an empty copy is then soon taken for something else. */
  title?: string;
}

/** In milliseconds: how long a server may take to begin copying the contents of a clone that is there. */
const copyingBegins = 30_000;

/** A resource to create as a clone. */
export interface CloneOrder extends RequestedClone {
  sourceId: string;
  planned: PlannedCopy;
}

/**
 * Clones a resource, waits until all contents can be read, and updates the fields with other declared values. Adopts an earlier
 * clone, and no other resource. @throws OperationError; `onId` gets the id as soon as it is known
 */
export async function cloneResource(
  run: Run,
  cloning: CloneOrder,
  onId?: (id: string) => void,
): Promise<WriteResult> {
  const { parentId } = cloning;
  return writeThrough(run, { parentId }, () => makeClone(run, cloning, onId), writtenAs(cloning));
}

async function makeClone(
  run: Run,
  cloning: CloneOrder,
  onId: ((id: string) => void) | undefined,
): Promise<WriteResult> {
  const come = await arrival(run, cloning);
  if (come) {
    await refuseClonesOfOthers(run, come, "an earlier run");
    return found(reasonOf(cloning), come, await finishFound(run, cloning, come, onId));
  }
  let id: string | undefined;
  const record = (known: string): void => {
    id = known;
    onId?.(known);
  };
  const made = await requestClone(run, cloning, record);
  if ("there" in made) await refuseClonesOfOthers(run, made.there);
  if ("there" in made && !made.isPerhapsOurs) {
    refuseUnlessCopy(made.there, cloning.declared, cloning.planned);
    const title = `the ${cloning.kind.slug} that was created under that name meanwhile`;
    return found(madeByAnother, made.there, await finishFound(run, { ...cloning, title }, made.there, onId));
  }
  try {
    if ("there" in made)
      return found(takenOver, made.there, await finishClone(run, cloning, made.there, record));
    const clone = await waitForClone(run, cloning, made.tries, id);
    if (clone.id !== id) await refuseClonesOfOthers(run, clone);
    return await finishClone(run, cloning, clone, record);
  } catch (error) {
    throw unfinished(`the clone${id === undefined ? "" : ` (${id})`} has been requested`, error);
  }
}

/** Waits until a clone that an earlier run has requested can be read with all contents of its source. Writes nothing. */
export async function awaitClone(run: Run, requested: Omit<RequestedClone, "declared">): Promise<void> {
  const clone = await waitForClone(run, requested, new Tries(), undefined);
  await waitForContents(run, requested, clone);
}

/** Continues with a copy of another run: the plan did not see later additions to it. */
function finishFound(
  run: Run,
  cloning: RequestedClone,
  copy: LiveResource,
  onId: ((id: string) => void) | undefined,
): Promise<WriteResult> {
  const { kind } = cloning;
  const declared = withoutMarks(kind, withoutRemovals(kind, cloning.declared));
  return finishClone(run, { ...cloning, declared }, copy, onId);
}

async function finishClone(
  run: Run,
  cloning: RequestedClone,
  clone: LiveResource,
  onId?: (id: string) => void,
): Promise<WriteResult> {
  const { id, response } = clone;
  const { title } = cloning;
  run.made?.add(id);
  if (title === undefined) onId?.(id);
  await waitForContents(run, cloning, clone);
  if (title !== undefined) onId?.(id);
  const desired = overlay(cloning.kind.fields, clone.fields, cloning.declared);
  const changing = { declared: cloning.declared, name: cloning.name };
  const isDone = changesOf(clone, desired, cloning.name).length === 0 && !removesParts(cloning);
  return isDone ? { id, response } : updateFrom(run, clone, changing);
}

/** Whether parts of the source are not wanted in the clone: its fields do not show them. */
function removesParts({ kind, declared }: RequestedClone): boolean {
  return !sameJson(declared, withoutRemovals(kind, declared));
}

/** Sends the request until it is accepted or the clone exists: another operation may be in progress. */
async function requestClone(
  run: Run,
  cloning: CloneOrder,
  onId?: (id: string) => void,
): Promise<CreationResult<"requested">> {
  const { kind, sourceId, parentId, name } = cloning;
  const { clone: step } = kind;
  if (!step) throw new TypeError(`${article(kind.name)} cannot be cloned`);
  const carried = Object.fromEntries(
    Object.entries(cloning.declared).filter(([member]) => step.carries.includes(member)),
  );
  const body = step.body(name, parentId, toRequest(kind.fields, carried));
  return makeOnce(run, {
    place: cloning,
    limit: run.limits.clone,
    // A clone of an earlier run may have become readable since the plan. Reading the list first prevents a second clone.
    checksFirst: true,
    isAsDesired: () => true,
    async send(_tries, onMade) {
      const { value } = await writing(run.client).submit(step.path(sourceId), body);
      const made = isFields(value) ? value["id"] : undefined;
      if (typeof made === "string") onMade(made, true);
      if (typeof made === "string") onId?.(made);
      return "requested" as const;
    },
  });
}

async function waitForClone(
  run: Run,
  place: ResourcePlace,
  tries: Tries,
  id: string | undefined,
): Promise<LiveResource> {
  const clone = await untilListed(run, place, tries, { id, limit: run.limits.clone });
  if (clone) return clone;
  throw pending(run, "the clone has been requested, and");
}

async function waitForContents(
  run: Run,
  { kind, name, contents, title }: Omit<RequestedClone, "declared">,
  clone: LiveResource,
): Promise<void> {
  if (contents.length === 0 || kindsInside(kind).length === 0) return;
  let isEmpty = true;
  const { clone: limit } = run.limits;
  const longestWait = () => (isEmpty && title !== undefined ? Math.min(copyingBegins, limit) : limit);
  const complete = await until(run.clock, longestWait, run.signal, async (attempt) => {
    const children = await outsideTurn(run, () =>
      run.freshLists.read(kind, clone.id, pollDelay(attempt), run.signal),
    );
    const missing = children ? missingIn(children, contents) : contents;
    isEmpty = missing.length === contents.length;
    return missing.length === 0 ? true : undefined;
  });
  if (complete) return;
  if (isEmpty && title !== undefined)
    throw outdated(
      "exists",
      `${article(kind.name)} named "${name}" (${clone.id}) has appeared meanwhile; it contains nothing of the source, so it is not a copy`,
    );
  throw pending(
    run,
    `${title ?? "the clone"} (${clone.id}) exists, but does not contain all that its source contains, and`,
  );
}

function pending(run: Run, what: string): OperationError {
  return uncopied(`${what} could not be read completely within ${timeLimit(run.limits.clone)}`);
}

/** Of the contents that a clone has to have, those that it lacks. */
function missingIn(children: Contents, contents: CloneOrder["contents"]): CloneOrder["contents"] {
  const there = new Set([
    ...children.resources.map((resource) => keyOf(resource.kind.name, resource.name)),
    ...children.unknown.map(({ type, name }) => keyOf(type, name)),
  ]);
  return contents.filter(({ kind, name }) => !there.has(keyOf(kind, name)));
}

function keyOf(kind: Kind["name"], name: string): string {
  return `${kind} ${nameKey(name)}`;
}
