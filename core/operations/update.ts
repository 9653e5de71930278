import { nameKey } from "../model/addresses/names.ts";
import { ConflictError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import { compare, type FieldChange, formatPath } from "../model/fields/compare.ts";
import { overlay } from "../model/fields/overlay.ts";
import { type Fields, isFields, sameJson } from "../values/json.ts";
import { type Kind, unknownMembers } from "../model/kinds/index.ts";
import { withoutParts } from "../model/parts/index.ts";
import { type LivePartOwner, type LiveResource, readOne, isWhole } from "../state/live/index.ts";
import type { WriteResult, Run } from "./run.ts";
import { isAbout, requestBody, normalizedIn } from "./body.ts";
import { OperationError, sendBack, partlyMade, unfinished, notShown, outdated } from "./errors.ts";
import { holderOf, readByName } from "./find.ts";
import { writeParts, type PlannedParts } from "./parts.ts";
import { refuseLess, refuseOthers } from "./refuse-others.ts";
import { withValues } from "./secret-values.ts";
import { writeThrough, writtenAs } from "./write-through.ts";
import { write, type WritePolicy } from "./write.ts";
import { showsMember } from "../model/fields/normalized-fields.ts";

/** The wanted differences. */
export interface UpdateRequest extends PlannedParts {
  /** Fields in manifest form; references are `{id, name?}`, null resets. */
  declared: Fields;
  /** A new name. */
  name?: string | undefined;
  /** Asked before each request which changes it makes to the resource as it is then; throws to stop it. */
  allow?: ((changes: readonly FieldChange[]) => Promise<void>) | undefined;
}

const asDesired: Pick<WriteResult, "already" | "remarks"> = {
  already: true,
  remarks: ["already_as_planned"],
};

/** Updates a resource and its parts: reads it afresh, overlays the declared fields on all live ones, and sends the result. */
export async function updateResource(
  run: Run,
  target: LivePartOwner,
  changing: UpdateRequest,
): Promise<WriteResult> {
  const { planned } = changing;
  const isPart = isPartOf(target.kind);
  if (planned && planned.length > 0 && planned.every(isPart)) return changeParts(run, target, changing);
  const update = async () => changeFrom(run, await readAfresh(run, target), own(target.kind, changing));
  const done = await writeThrough(run, target, update, writtenAs(target));
  return planned && !planned.some(isPart) ? done : changeParts(run, target, changing, done);
}

/** The wanted differences in fields of the resource itself. */
function own(kind: Kind, { declared, name, planned, expected, allow }: UpdateRequest): UpdateRequest {
  const isPart = isPartOf(kind);
  return {
    declared: withoutParts(kind, declared),
    name,
    ...(planned && { planned: planned.filter((change) => !isPart(change)) }),
    ...(expected && { expected: withoutParts(kind, expected) }),
    allow,
  };
}

function isPartOf({ fields }: Kind): (change: FieldChange) => boolean {
  return ({ path: [member = ""] }) => fields.properties?.[member]?.part === true;
}

/** Updates the parts of a resource whose own fields are up to date. */
async function changeParts(
  run: Run,
  target: LivePartOwner,
  { declared, planned, expected, seen }: UpdateRequest,
  done?: WriteResult,
): Promise<WriteResult> {
  const planOfParts = planned?.filter(isPartOf(target.kind));
  const isStarted = done !== undefined && !done.already;
  const sending = writeParts(run, target, declared, { planned: planOfParts, expected, seen });
  const written = await sending.catch((error: unknown) => {
    throw isStarted ? unfinished(partlyMade, error) : error;
  });
  if (!written) return done ?? { id: target.id };
  const { isChanged, ...present } = written;
  if (!done) return { id: target.id, ...present, ...(!isChanged && asDesired) };
  const { already: _already, remarks: _remarks, ...rest } = done;
  return isChanged && done.already ? { ...rest, ...present } : { ...done, ...present };
}

async function readAfresh(run: Run, { kind, id, parentId }: LivePartOwner): Promise<LiveResource> {
  const fresh = await readOne(run.client, kind, id, parentId);
  if (fresh) return fresh;
  throw outdated("gone", `the ${kind.name} ${id} has disappeared meanwhile`);
}

/** An update may be sent again as long as a field differs. */
const changePolicy: WritePolicy = { resends: Infinity, checksAtOnce: false, pause: 0 };

/** Updates a resource that has just been read; reads it again after an unclear answer, and resends what still differs. */
export async function updateFrom(
  run: Run,
  fresh: LiveResource,
  changing: UpdateRequest,
): Promise<WriteResult> {
  const change = () => changeFrom(run, fresh, own(fresh.kind, changing));
  const done = await writeThrough(run, fresh, change, writtenAs(fresh));
  return changeParts(run, fresh, changing, done);
}

async function changeFrom(run: Run, fresh: LiveResource, changing: UpdateRequest): Promise<WriteResult> {
  const { kind, parentId, id } = fresh;
  const inVain = (limit: string): string => `it could not be changed within ${limit}`;
  return write<
    { current: LiveResource; name: string; desired: Fields; changes: readonly FieldChange[] },
    WriteResult
  >(run, {
    policy: changePolicy,
    words: {
      perhaps: "the change may or may not have been made",
      checking: "checking whether the change was made",
      gaveUp: inVain,
      busy: inVain,
    },
    limit: run.limits.busy,
    async check({ isStarted, maybeDone, isPerhapsOurs, failure, conflicts }) {
      if (failure instanceof ConflictError)
        await refuseTakenName(run, fresh, changing.name, failure, conflicts);
      const current = isStarted ? await readAfresh(run, fresh) : fresh;
      const name = newName(current, changing.name);
      const desired = overlay(kind.fields, current.fields, changing.declared);
      const changes = changesOf(current, desired, name);
      if (changes.length === 0)
        return { end: { id, response: current.response, ...(!isPerhapsOurs && asDesired) } };
      // The operation that this run waited for may have changed the resource: check that the plan still fits.
      if (!maybeDone && changing.planned) refuseOthers(current, changes, changing.planned);
      refuseLess(current, `the ${kind.name}`, changing.expected, desired);
      await changing.allow?.(changes);
      return { send: { current, name, desired, changes } };
    },
    async send({ current, name, desired, changes }) {
      const values = await withValues(run, kind.fields, desired);
      const unknown = unknownMembers(kind, current.response, desired).filter(({ place }) => place);
      const members = unknown.map(({ path }) => formatPath(path)).join(", ");
      const lacking = run.approved?.lacking.get(id);
      const response = await sendBack(`the ${kind.name} ${id}`, members, lacking, (isWith) =>
        sendChange(run, fresh, requestBody(kind, name, values, "update", parentId, isWith ? unknown : [])),
      );
      if (isFields(response) && !isAbout(kind, response, { id, parentId })) throw aboutAnother(fresh);
      const shown = await shownBy(kind, response, changes, {
        what: `the change of the ${kind.name} ${id}`,
        read: () => readAfresh({ ...run, client: run.client.finishing }, fresh),
        changesLeft: (now) => changesOf(now, overlay(kind.fields, now.fields, desired), name),
      });
      run.live.renew(current, shown);
      return { id, response: shown, ...normalizedIn(kind, shown, desired) };
    },
  });
}

async function sendChange({ client }: Run, live: LiveResource, body: Fields): Promise<unknown> {
  const { kind, id, parentId } = live;
  const request = kind.requests.change?.(live, parentId, body) ?? {
    path: kind.requests.one(id, parentId),
    body,
  };
  try {
    return await writing(client).put(request.path, request.body);
  } catch (cause) {
    if (!(cause instanceof NotFoundError)) throw cause;
    throw outdated("gone", `the ${kind.name} ${id} has disappeared`, cause);
  }
}

function aboutAnother({ kind, id, parentId }: LiveResource): UnclearOutcomeError {
  const path = kind.requests.one(id, parentId);
  return new UnclearOutcomeError(`the answer to PUT ${path} is about another resource`, {
    method: "PUT",
    path,
    advice: "check whether a proxy in between caches answers",
  });
}

/** The name to send: the live name if only the case differs. */
function newName(current: LiveResource, desired: string | undefined): string {
  return desired === undefined || nameKey(desired) === nameKey(current.name) ? current.name : desired;
}

/** The changes that a live resource needs, its name included. */
export function changesOf(current: LiveResource, desired: Fields, name: string): FieldChange[] {
  const renaming =
    nameKey(current.name) === nameKey(name) ? [] : [{ path: ["name"], before: current.name, after: name }];
  return [...renaming, ...compare(current.kind.fields, current.fields, desired)];
}

async function refuseTakenName(
  run: Run,
  current: LiveResource,
  name: string | undefined,
  failure: ConflictError,
  conflicts: number,
): Promise<void> {
  if (name === undefined || nameKey(current.name) === nameKey(name)) return;
  const { kind, parentId } = current;
  const place = { kind, parentId, name };
  const other = (await readByName(run, place)) ?? (await holderOf(run, place, failure, conflicts));
  if (!other || other.id === current.id) return;
  throw new OperationError("exists", `it cannot be renamed: ${kind.name} ${other.id} has the name "${name}"`);
}

/** The answer to a change, or where that does not show the fields, to one read. @throws OperationError `pending` */
async function shownBy(
  kind: Kind,
  answer: unknown,
  changes: readonly FieldChange[],
  {
    what,
    read,
    changesLeft,
  }: {
    /** The change, as a noun. */
    what: string;
    read(): Promise<LiveResource>;
    /** The changes that a resource needs still. */
    changesLeft(current: LiveResource): readonly FieldChange[];
  },
): Promise<Fields> {
  const shows = (response: Fields, { path }: FieldChange) =>
    showsMember(kind.form?.inRequestForm?.(response) ?? response, path);
  const tells = (response: Fields) =>
    isWhole(kind, response) || changes.every((change) => shows(response, change));
  if (isFields(answer) && tells(answer)) return answer;
  const current = await read().catch((error: unknown) => {
    throw unfinished(`the server has accepted ${what}`, error);
  });
  const left = changesLeft(current);
  const isLeft = ({ path, before }: FieldChange) =>
    left.some((other) => sameJson(other.path, path) && sameJson(other.before, before));
  // A server that keeps a value in another form has carried out the change, and one that never shows it does not tell.
  if (changes.every(isLeft) && changes.some((change) => shows(current.response, change)))
    throw notShown(what);
  return current.response;
}
