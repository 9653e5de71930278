import { nameKey } from "../address.ts";
import { ConflictError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { compare, type FieldChange, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { type Fields, isFields, sameJson } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { type LiveResource, readOne } from "../live/index.ts";
import type { Done, OperationContext } from "./context.ts";
import { isAbout, remarkOn, requestBody } from "./body.ts";
import { messageOf, OperationError, unclear } from "./errors.ts";
import { lookByName } from "./find.ts";
import { takingIn, thereBy } from "./taking-in.ts";
import { pollDelay, until } from "./wait.ts";

const perhapsChanged = "the change may or may not have been made";

/** What is to be different. */
export interface Changing {
  /** Fields in manifest form; references are `{id, name?}`, null resets. */
  stated: Fields;
  /** A new name. */
  name?: string;
  /** The changes that were planned: if those that the live resource needs are others, nothing is sent. */
  planned?: readonly FieldChange[];
}

/** A live resource that is to be changed. */
export interface Target {
  kind: Kind;
  id: string;
  parentId: string;
}

const asWanted = { already: true, remark: "was as wanted already" } as const;

/** Changes a resource: reads it afresh, lays the stated fields over all that it has, sends everything. */
export async function updateResource(
  context: OperationContext,
  target: Target,
  changing: Changing,
): Promise<Done> {
  const update = async () => sendChange(context, await readAfresh(context, target), changing);
  return takingIn(context, target, update, thereBy(target));
}

async function readAfresh(context: OperationContext, { kind, id, parentId }: Target): Promise<LiveResource> {
  const fresh = await readOne(context.client, kind, id, parentId);
  if (fresh) return fresh;
  throw new OperationError("gone", `the ${kind.name} ${id} has disappeared since the plan; plan again`);
}

/**
 * Changes a resource that has just been read. After an unclear answer, or while another operation is under way, it
 * is read again, and the request is sent again only if something still differs.
 */
export async function updateFrom(
  context: OperationContext,
  fresh: LiveResource,
  changing: Changing,
): Promise<Done> {
  return takingIn(context, fresh, () => sendChange(context, fresh, changing), thereBy(fresh));
}

async function sendChange(context: OperationContext, fresh: LiveResource, changing: Changing): Promise<Done> {
  const { kind, parentId, id } = fresh;
  let current = fresh;
  let isFirst = true;
  let isPerhapsOurs = false;
  let failure: unknown;
  const done = await until(
    context.clock,
    context.limits.busy,
    context.signal,
    async (attempt): Promise<Done | undefined> => {
      if (!isFirst) {
        await context.clock.sleep(pollDelay(attempt), context.signal);
        current = await readAgain(context, fresh, failure);
      }
      const name = newName(current, changing.name);
      const wanted = overlay(kind.fields, current.fields, changing.stated);
      const changes = changesOf(current, wanted, name);
      if (changes.length === 0) {
        return { id, response: current.response, ...(!isPerhapsOurs && asWanted) };
      }
      // The operation that was waited for may have changed it: the plan has to fit still.
      if (!isPerhapsOurs && changing.planned) refuseOthers(current, changes, changing.planned);
      isFirst = false;
      try {
        const response = await context.client.put(kind.path(id), requestBody(kind, name, wanted, "update"));
        if (!isFields(response)) return { id };
        if (!isAbout(kind, response, { id, parentId })) throw aboutAnother(current);
        return { id, response, ...remarkOn(kind, response, wanted) };
      } catch (error) {
        if (error instanceof NotFoundError)
          throw new OperationError("gone", `the ${kind.name} ${id} has disappeared; plan again`, {
            cause: error,
          });
        failure = error;
        if (error instanceof ConflictError) await refuseTakenName(context, current, name);
        else if (error instanceof UnclearOutcomeError) isPerhapsOurs = true;
        else throw error;
        return undefined;
      }
    },
    (interruption) =>
      failure instanceof UnclearOutcomeError
        ? unclear(perhapsChanged, "the run was interrupted before a look could tell", interruption)
        : undefined,
  );
  if (done) return done;
  throw new OperationError(
    failure instanceof ConflictError ? "busy" : "unclear",
    `the ${kind.name} ${id} could not be changed for ${context.limits.busy / 1000} s: ${messageOf(failure)}; run again later`,
    { cause: failure },
  );
}

function aboutAnother({ kind, id }: LiveResource): UnclearOutcomeError {
  const path = kind.path(id);
  return new UnclearOutcomeError(`the answer to PUT ${path} is about another resource`, {
    method: "PUT",
    path,
    advice: "is there a cache between?",
  });
}

/** Reads again after a request that has failed, and that may have been carried out. */
async function readAgain(context: OperationContext, target: Target, failure: unknown): Promise<LiveResource> {
  try {
    return await readAfresh(context, target);
  } catch (error) {
    if (!(failure instanceof UnclearOutcomeError) || error instanceof OperationError) throw error;
    throw unclear(perhapsChanged, `the look that was to tell failed: ${messageOf(error)}`, error);
  }
}

/** The name to send: a name that differs by case only is no change. */
function newName(current: LiveResource, wanted: string | undefined): string {
  return wanted === undefined || nameKey(wanted) === nameKey(current.name) ? current.name : wanted;
}

/** The changes that a live resource needs, its name included. */
export function changesOf(current: LiveResource, wanted: Fields, name: string): FieldChange[] {
  const renaming =
    nameKey(current.name) === nameKey(name) ? [] : [{ path: ["name"], before: current.name, after: name }];
  return [...renaming, ...compare(current.kind.fields, current.fields, wanted)];
}

function refuseOthers(
  current: LiveResource,
  needed: readonly FieldChange[],
  planned: readonly FieldChange[],
): void {
  const isPlanned = (change: FieldChange): boolean =>
    planned.some(
      ({ path, before, after }) =>
        sameJson(path, change.path) && sameJson(after, change.after) && sameJson(before, change.before),
    );
  const others = needed.filter((change) => !isPlanned(change));
  if (others.length === 0) return;
  throw new OperationError(
    "changed",
    `the ${current.kind.name} has changed since the plan, in ${others.map(({ path }) => formatPath(path)).join(", ")}; plan again`,
  );
}

async function refuseTakenName(
  context: OperationContext,
  current: LiveResource,
  name: string,
): Promise<void> {
  if (nameKey(current.name) === nameKey(name)) return;
  const { kind, parentId } = current;
  const other = await lookByName(context, { kind, parentId, name });
  if (!other || other.id === current.id) return;
  throw new OperationError("exists", `it cannot be renamed: ${kind.name} ${other.id} has the name "${name}"`);
}
