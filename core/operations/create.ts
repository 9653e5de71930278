import { InvalidRequestError } from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import { compare, formatPath } from "../model/fields/compare.ts";
import { omit, overlay } from "../model/fields/overlay.ts";
import { type Fields, isFields } from "../values/json.ts";
import { type LiveResource, toLive } from "../state/live/index.ts";
import { listingsOf, lostParts, partsWith, shareList, withoutParts } from "../model/parts/index.ts";
import { mayBeRenamed } from "../model/addresses/names.ts";
import { article, escapeControl, shorten, timeLimit } from "../values/text.ts";
import { isAbout, requestBody, normalizedIn } from "./body.ts";
import type { WriteResult, Run } from "./run.ts";
import { OperationError, unfinished, messageOf, outdated, uncopied } from "./errors.ts";
import { arrival, readByName, type ResourcePlace } from "./find.ts";
import { found, madeByAnother, reasonOf, takenOver, renamed, untilListed } from "./existing-resource.ts";
import { listPause, makeOnce } from "./make.ts";
import { writeParts } from "./parts.ts";
import { withValues } from "./secret-values.ts";
import { writeThrough, writtenAs } from "./write-through.ts";
import { updateFrom } from "./update.ts";
import type { Tries } from "./write.ts";
import { formatAddress } from "../model/addresses/address.ts";
import { withoutShown } from "../secrets/index.ts";

/** A resource to create. */
export interface CreationAnswer extends ResourcePlace {
  /** In manifest form; references are `{id, name?}`. */
  fields: Fields;
}

/**
 * Creates a resource. After an unclear answer it searches by parent and name: a resource that exists is adopted, else the
 * request is sent once more. A name that is taken meanwhile is accepted only if the resource is just as wanted. What the
 * server has only accepted (202) is waited for. An answer about another resource is not believed: it must not become
 * the parent of what follows.
 *
 * @throws OperationError `exists`, `busy`, `unclear`, `pending`, `twins`, `duplicated` or `renamed`
 */
export async function createResource(run: Run, creation: CreationAnswer): Promise<WriteResult> {
  const { parentId } = creation;
  return writeThrough(run, { parentId }, () => create(run, creation), writtenAs(creation));
}

async function create(run: Run, creation: CreationAnswer): Promise<WriteResult> {
  const { kind, parentId, name } = creation;
  const fields = withoutParts(kind, creation.fields);
  const { client, limits } = run;
  const come = await arrival(run, creation);
  if (come)
    return found(reasonOf(creation), come, await updateFrom(run, come, { declared: creation.fields }));
  const body = requestBody(kind, name, await withValues(run, kind.fields, fields), "create", parentId);
  const made = await makeOnce(run, {
    place: creation,
    limit: limits.busy,
    isAsDesired: ({ fields: live }) =>
      compare(kind.fields, live, overlay(kind.fields, live, fields)).length === 0,
    async send(tries, onMade) {
      const isAnswerSecret = kind.shownOnce !== undefined;
      const { value, status } = await sendTwins(kind.form?.twin, body, (each) =>
        writing(client).submit(kind.requests.create(parentId), each, { isAnswerSecret }),
      );
      if (isFields(value) && typeof value["id"] === "string") {
        onMade(value["id"], status === 202);
        const response = await keepShown(run, creation, { ...value, id: value["id"] });
        return { response, isRequested: status === 202 };
      }
      if (status !== 200) tries.isAccepted = true;
      return undefined;
    },
  });
  if ("there" in made) return takeOver(run, creation, made.there, made.isPerhapsOurs);
  const { response, isRequested } = made.answer;
  const { id } = response;
  if (!isAbout(kind, response, { name, parentId })) return afterOtherAnswer(run, creation, response);
  run.made?.add(id);
  const isPerhapsTwice = made.tries.sends > 1;
  if (!isRequested && !isPerhapsTwice) run.live.tellEmpty(kind, id);
  if (isRequested || isPerhapsTwice) await appear(run, creation, id, made.tries);
  if (kind.form?.createCarries) return completed(run, creation, response);
  const parts = await partsOfNew(run, creation, response);
  return { id, response, ...normalizedIn(kind, response, fields), ...parts };
}

/** Sends a member under both of its names; if the server refuses that for one of them, under each alone. */
async function sendTwins<Value>(
  [name, other]: readonly [string, string] | readonly [] = [],
  body: Fields,
  send: (body: Fields) => Promise<Value>,
): Promise<Value> {
  const value = name === undefined ? undefined : body[name];
  if (name === undefined || other === undefined || value === undefined) return send(body);
  const both = { ...body, [other]: value };
  try {
    return await send(both);
  } catch (error) {
    if (!(error instanceof InvalidRequestError) || !error.message.includes(other)) throw error;
    return await send(body).catch((next: unknown) => {
      if (next instanceof InvalidRequestError) return send(omit(both, name));
      throw next;
    });
  }
}

/** Writes the fields that the creation of a resource has not carried, if they are not as they are from the start. */
async function completed(
  run: Run,
  { kind, parentId, fields }: CreationAnswer,
  response: Fields & { id: string },
): Promise<WriteResult> {
  const made = toLive(kind, response, parentId);
  const written = await updateFrom(run, made, { declared: fields }).catch(created(made.id, made.id));
  const { already: _already, remarks: _remarks, ...done } = written;
  return { response, ...done };
}

/** Throws the error of a step after the creation, which says that the resource is there. @param made its id, if this run has made it */
function created(id: string, made?: string): (error: unknown) => never {
  return (error) => {
    throw unfinished(`it has been created (${id})`, error, made);
  };
}

/** Writes the parts of a resource that has just been created. */
async function partsOfNew(
  run: Run,
  { kind, parentId, fields }: CreationAnswer,
  response: Fields & { id: string },
) {
  const made = toLive(kind, response, parentId);
  const at = run.client.serverTime;
  const written = await writeParts(run, made, fields, { isNew: made }).catch(created(made.id, made.id));
  const declared = partsWith(kind, Object.keys(fields));
  const others = lostParts(kind).filter((part) => !declared.some((other) => shareList(part, other)));
  for (const listing of listingsOf(made, others).values())
    run.live.tell({ owner: made, listing, at, entries: [] });
  return written && { parts: written.parts, reports: written.reports };
}

/** Waits until the created resource is listed, and listed once. */
async function appear(run: Run, creation: CreationAnswer, id: string, tries: Tries): Promise<void> {
  const { clone: limit } = run.limits;
  const requested = `its creation (${id}) has been requested`;
  let there: LiveResource | undefined;
  try {
    there = await untilListed(run, creation, tries, { id, limit });
  } catch (error) {
    throw unfinished(requested, error);
  }
  if (there) return;
  throw uncopied(`${requested}, but the resource has not appeared within ${timeLimit(limit)}`);
}

/** Finds the new resource after an answer about another one. Sends nothing again: the server may rewrite names. */
async function afterOtherAnswer(
  run: Run,
  creation: CreationAnswer,
  answer: Fields & { id: string },
): Promise<WriteResult> {
  const { kind, name, parentId } = creation;
  const itsName = String(answer["name"]);
  const isRenamed = isAbout(kind, answer, { parentId }) && mayBeRenamed(name, itsName);
  const asRenamed = () => renamed(creation, { id: answer.id, name: itsName });
  const answered = `the server answers with ${shorten(escapeControl(`"${itsName}" (${answer.id})`), 200)}`;
  let there: LiveResource | undefined;
  try {
    there = await readByName(run, creation, listPause);
  } catch (error) {
    throw isRenamed ? asRenamed() : unfinished(answered, error);
  }
  if (there) return takeOver(run, creation, there, true);
  if (isRenamed) throw asRenamed();
  throw new OperationError(
    "unclear",
    `${answered}, and no resource has the name "${shorten(escapeControl(name), 100)}"`,
    { remedies: [{ inspect: true }] },
  );
}

async function takeOver(
  run: Run,
  creation: CreationAnswer,
  there: LiveResource,
  ours: boolean,
): Promise<WriteResult> {
  const { kind, fields } = creation;
  refuseUnseen(there, ours);
  const own = withoutParts(kind, fields);
  const changes = compare(kind.fields, there.fields, overlay(kind.fields, there.fields, own));
  const { id, response } = there;
  if (changes.length === 0) {
    const parts = writeParts(run, there, fields);
    const written = await (ours ? parts.catch(created(id)) : parts);
    return found(ours ? takenOver : madeByAnother, there, {
      id,
      response,
      ...(written && { parts: written.parts, reports: written.reports }),
    });
  }
  if (!ours)
    throw outdated(
      "exists",
      `${article(kind.name)} of that name (${id}) has appeared meanwhile and differs in ${changes.map(({ path }) => formatPath(path)).join(", ")}`,
    );
  return found(takenOver, there, await updateFrom(run, there, { declared: fields }).catch(created(id)));
}

type Answer = Fields & { id: string };

/** Puts the value that the answer shows once where it belongs, before all that can fail. @throws OperationError `value_lost` */
async function keepShown(
  { client, shown }: Run,
  { kind, name }: Pick<ResourcePlace, "kind" | "name">,
  whole: Answer,
): Promise<Answer> {
  const { shownOnce: member } = kind;
  if (member === undefined) return whole;
  const { answer, value } = withoutShown(whole, member);
  const { id } = answer;
  if (value === undefined) throw lostValue({ id }, member, `the answer to its creation has no ${member}`);
  client.hide(value);
  try {
    if (!shown) throw new Error("this run has no place for it");
    await shown.keep({ address: formatAddress({ kind, names: [name] }), id, member, value });
  } catch (error) {
    throw lostValue({ id }, member, `writing it failed: ${messageOf(error)}`);
  }
  return answer;
}

/** Refuses a resource that is there although the run has not got the answer that shows its value. */
function refuseUnseen({ kind, id }: Pick<LiveResource, "kind" | "id">, isPerhapsOurs: boolean): void {
  if (kind.shownOnce === undefined) return;
  const why = isPerhapsOurs
    ? "the answer to its creation did not arrive"
    : "another run has created the resource meanwhile";
  throw lostValue({ id }, kind.shownOnce, why, isPerhapsOurs);
}

function lostValue({ id }: { id: string }, member: string, why: string, isOurs = true): OperationError {
  return new OperationError(
    "value_lost",
    `it exists (${id}), but its ${member} is lost, because ${why}, and the API shows it only once`,
    { made: isOurs ? [id] : [], remedies: [{ remake: id }] },
  );
}
