import { idsReferredTo } from "../../core/model/fields/references.ts";
import { type Kind, kinds } from "../../core/model/kinds/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { mapFields } from "../../core/values/json.ts";
import { type LiveResource, parentIdIn } from "../../core/state/live/index.ts";
import { readByName } from "../../core/operations/index.ts";
import { isReplacement } from "../../core/planning/plan/index.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import { withEmptyParts } from "../../core/execution/session/index.ts";
import { difference } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { judgeChange, refuse } from "./gate.ts";
import {
  fieldsAmong,
  isCreated,
  mayBeThere,
  type Properties,
  readInputs,
  type ParsedInputs,
} from "./inputs.ts";
import { stateOf } from "./known-state.ts";
import { parentIn, type RunLedger } from "./ledger.ts";
import type { Successor } from "./ledger-line.ts";
import { awaitWord, nameInUse, nameObjection, noteNameInUse, withoutParent } from "./names-in-use.ts";
import { recall } from "./outputs.ts";
import {
  adoptedOf,
  ask,
  changeInState,
  creationOf,
  deletionOf,
  type Order,
  type ResourceQuestion,
  sourceOf,
} from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import { exchangeReason, leavingReason } from "./words.ts";

/*
 * The engine deletes a replaced resource and its dependants before it creates the new ones, so everything that could prevent
 * that is asked before the first deletion. The engine tells the new inputs of dependants after that, and in a preview.
 */

/**
 * Judges a change for a preview, and the replacements to which it belongs.
 *
 * @param isMade whether the engine has asked about all dependants of a replaced resource
 * @returns notes for the user
 * @throws RefusedError where it is forbidden
 */
export async function judge(
  session: ProviderSession,
  question: ResourceQuestion | Order | undefined,
  isMade = false,
): Promise<readonly string[]> {
  const { ledger } = session;
  const { kind, gets, existing, ends, successor } = question && "gets" in question ? question : {};
  const isRename = existing !== undefined && !ends;
  const found = kind && gets && (await nameInUse(session, { kind, ...gets }, existing?.id));
  // The engine tells no one that the user replaces a resource, but asks about its dependants.
  const isChosen =
    found && ledger.successor((each) => rootsOf(ledger, each).some(({ id }) => id === found.id));
  const taken = isChosen ? undefined : found;
  const removalOf = (there: LiveResource) =>
    deletionOf(session, there.kind, there.id, {}, true, true, withEmptyParts(there));
  const notes = [
    ...(taken ? [noteNameInUse(session, taken, isRename)] : []),
    // The engine shows a creation also if the user replaces the resource that has the name.
    ...(taken && !existing ? await noted(taken, false, judgeChange(session, await removalOf(taken))) : []),
    ...(await noted(existing, isSure(ledger, existing?.id), judgeChange(session, question))),
  ];
  if (!successor) return notes;
  const judgeReplaced = (each: Successor) =>
    noted({ ...each.declared, kind: each.kind }, isSure(ledger, each.id), judgeDeletion(session, each));
  if (isMade) notes.push(...(await judgeReplaced(successor)));
  for (const root of rootsOf(ledger, successor)) {
    const known = ledger.successor(({ id }) => id === root.id);
    const judging = known
      ? judgeReplaced(known)
      : checked(session, `chosen ${root.id}`, () => judgeChosen(session, root, false));
    notes.push(...(await judging));
  }
  return notes;
}

/** Whether the engine surely replaces a resource: unknown values alone may turn out to be the old ones. */
function isSure(ledger: RunLedger, id: string | undefined): boolean {
  const successor = ledger.successor((each) => each.id === id);
  if (!successor || successor.isSure) return true;
  return rootsOf(ledger, successor).some(
    (root) => (root.isParent || ledger.isReplaced(root.id)) && isSure(ledger, root.id),
  );
}

/** The notes of a judgement in a preview, or a warning if the resource is perhaps not replaced. */
async function noted(
  resource: Pick<LiveResource, "kind" | "name"> | undefined,
  isReplaced: boolean,
  judging: Promise<readonly string[]>,
): Promise<readonly string[]> {
  return judging.catch((error: unknown) => {
    if (isReplaced || !resource || !(error instanceof RefusedError)) throw error;
    return [
      `if this run replaces the ${resource.kind.name} "${resource.name}", \`pulumi up\` refuses: ${error.message}`,
    ];
  });
}

/** Judges the deletion of a replaced resource, whose dependants are known. @param existing default: as in its state */
async function judgeDeletion(
  session: ProviderSession,
  { id, kind, olds, isKept }: Pick<Successor, "id" | "kind" | "olds" | "isKept">,
  mayEmpty?: true,
  existing?: LiveResource,
): Promise<readonly string[]> {
  if (recall(olds).isUnclear || isKept) return [];
  const question = await deletionOf(session, kind, id, olds, true, mayEmpty, existing);
  return judgeChange(session, { ...question, policy: { ...question.policy, mayBeInUse: false } }, true);
}

/** The resources whose replacement may be the reason for another one: the parent, and those to which its fields refer. */
function rootsOf(ledger: RunLedger, { kind, id, from, olds, declared }: Successor) {
  const unknown = mapFields(fieldsAmong(kind, olds), (value, member) =>
    hasUnknown(declared.fields[member] ?? null) ? value : undefined,
  );
  const remade = kinds.filter((each) => ledger.newOnes(each).length > 0);
  const others = remade.flatMap((each) =>
    idsReferredTo(kind.fields, unknown, each.catalogue).map((other) => ({
      kind: each,
      id: other,
      isParent: false,
    })),
  );
  const parentId = ledger.goesWithParent(id) ? parentIn(from) : undefined;
  return kind.parent && parentId !== undefined
    ? [{ kind: kind.parent, id: parentId, isParent: true }, ...others]
    : others;
}

/**
 * Judges the deletion of a resource that the user replaces: the engine asks about its dependants alone.
 *
 * @param isRun whether it is no preview, in which an unknown parent may also be a new one
 * @returns the warnings where that is unknown
 */
async function judgeChosen(
  session: ProviderSession,
  { kind, id, isParent }: ReturnType<typeof rootsOf>[number],
  isRun: boolean,
): Promise<readonly string[]> {
  const { ledger } = session;
  const isKept = () => ledger.stays(id);
  if (!isRun) await awaitWord(session, isKept);
  if (!isRun && isKept()) return [];
  // All to which fields refer is in a list of the organization.
  const listed = isParent ? undefined : await session.listOnce(kind, await session.parentIdOf(undefined));
  const live = isParent ? await session.holder(kind, id) : listed?.resources.find((each) => each.id === id);
  if (!live) return [];
  const parentId = await session.parentIdOf(kind.parent && parentIdIn(kind, live.response));
  const made = ledger
    .newOnes(kind)
    .filter((place) => nameKey(place.name) === nameKey(live.name))
    .filter((place) => !kind.parent || place.parentId === parentId || hasUnknown(place.parentId));
  // In a preview, a resource that is adopted or has a new parent may be another one.
  const mayBeOther = ({ declared, parentId: above }: (typeof made)[number]) =>
    mayBeThere(declared, session.settings) || hasUnknown(above);
  const isReplaced = isRun ? isParent || made.length > 0 : !made.every(mayBeOther);
  if (!isReplaced && !isParent) return [];
  const mayEmpty = made.some(({ declared }) => declared.deleteContents) || undefined;
  const existing = withEmptyParts({ ...live, parentId });
  return noted(live, isReplaced, judgeDeletion(session, { id, kind, olds: {} }, mayEmpty, existing));
}

/** @throws RefusedError if a resource leaves a replaced one: without a preview, the engine asks about it after deletions */
export async function refuseLeaving(session: ProviderSession, id: string): Promise<void> {
  const { ledger } = session;
  if (ledger.unknownIn(id).length === 0) return;
  await (session.leaving ??= awaitWord(session, () => ledger.hasLeaving));
  if (ledger.hasLeaving)
    throw new RefusedError(`it stays, because ${leavingReason("another resource leaves a replaced one")}`);
}

/**
 * Judges the known replacements. Await this before deleting any replaced resource.
 *
 * @throws RefusedError when one is not possible, and when another resource is in the place of a successor
 */
export async function checkSuccessors(session: ProviderSession, id: string): Promise<void> {
  const { ledger, successors } = session;
  for (const successor of ledger.takeSuccessors()) {
    void checked(session, successor.id, () => checkSuccessor(session, successor));
    for (const root of rootsOf(ledger, successor))
      if (!ledger.isReplaced(root.id))
        void checked(session, `chosen ${root.id}`, () => judgeChosen(session, root, true));
  }
  await successors.get(id);
  const others = await Promise.allSettled(successors.values());
  const refused = others.find((each) => each.status === "rejected");
  // The engine deletes the dependents of a resource first, so the error of that resource would not be seen.
  if (refused)
    throw new RefusedError(
      `it stays, because this run cannot replace another resource: ${(refused.reason as Error).message}`,
    );
}

/** Checks a replaced resource once in a run, and once more if the user has chosen it. Whoever waits for it gets the error. */
function checked(
  { successors }: ProviderSession,
  id: string,
  check: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const checking = successors.get(id) ?? check();
  successors.set(id, checking);
  checking.catch(() => undefined);
  return checking;
}

async function checkSuccessor(session: ProviderSession, successor: Successor): Promise<readonly string[]> {
  const { ledger, settings, run } = session;
  const { kind, declared, resource, isMoved, from } = successor;
  const { name } = declared;
  const parentId = await session.parentIdOf(declared.parentId);
  const isOpen = mayBeThere(declared, settings) || hasUnknown([name, parentId]);
  const place = { kind, parentId, name };
  const there = isMoved && !isOpen ? await readByName(run, place) : undefined;
  // It may also be the new resource: with `deleteBeforeReplace: false`, that is created first.
  const isNew = there && ledger.has(there.id) && !ledger.isOfAnother(there.id, resource);
  if (there && !isNew && !ledger.isAt(place, "moved")) await awaitWord(session, () => ledger.has(there.id));
  const refused = `the ${kind.name} "${name}" cannot be replaced: `;
  if (ledger.isExchanged(from)) throw new RefusedError(`${refused}${exchangeReason}`);
  // The creation waits for one that gives up the place.
  if (there && !isNew && !ledger.isAt(place, "moved"))
    refuse(refused, [nameObjection(session, there, false)]);
  const question = await newOf(session, kind, declared, successor);
  await judgeChange(session, question && { ...question, isFormer: true });
  return judgeDeletion(session, successor);
}

/** The plan request for a new resource, also one that replaces another. @throws RefusedError where its parent goes without it */
export async function questionOfCreation(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
): Promise<ResourceQuestion | undefined> {
  const { ledger } = session;
  const made = readInputs(kind, news);
  const { name, parentId } = made;
  if (parentId !== undefined && ledger.isReplaced(parentId)) throw withoutParent(session, kind, parentId);
  const isIt = ({ kind: its, declared }: Successor) =>
    its === kind && declared.name === name && declared.parentId === parentId;
  return newOf(session, kind, made, ledger.successor(isIt));
}

/** The plan request for a change. A replacement is judged as a deletion, because the engine deletes the old resource first. */
export async function questionOfChange(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
  { id, olds }: { id: string; olds: Properties },
): Promise<ResourceQuestion> {
  const declared = readInputs(kind, news);
  const { replaces, keepsName } = difference(kind, olds, news, id, session.now);
  const question =
    replaces.length > 0
      ? await deletionOf(session, kind, id, olds, true, true)
      : changeInState(kind, id, olds, declared, session.now);
  return keepsName || declared.adopt ? question : { ...question, gets: declared };
}

/**
 * A plan request for a new resource, and for the replacement that it belongs to. Undefined: it may exist already, so it is
 * judged when it is made.
 */
async function newOf(
  session: ProviderSession,
  kind: Kind,
  declared: ParsedInputs,
  successor: Successor | undefined,
): Promise<ResourceQuestion | undefined> {
  const { adopt, adoptId } = declared;
  const { ledger, settings } = session;
  // A new parent holds nothing that could be adopted.
  const isInNew =
    successor && ledger.goesWithParent(successor.id) && ledger.isReplaced(parentIn(successor.from) ?? "");
  const mayAdopt = (adopt || settings.adopt) && successor?.isMoved !== false && !isInNew;
  const isOpen = adoptId === undefined ? mayAdopt : adoptId !== successor?.id;
  if (adoptId !== successor?.id) await adoptedOf(session, kind, declared);
  if (isOpen || !isCreated(kind)) return undefined;
  const source = await sourceOf(session, kind, declared);
  const question = { ...creationOf(kind, declared, source && { source }), gets: declared };
  if (!successor) return question;
  const succeeds = stateOf(kind, successor.id, successor.olds);
  const listed = kind.parent && (await session.listOnce(kind, succeeds.parentId));
  const { response = {} } = listed?.resources.find(({ id }) => id === successor.id) ?? {};
  const reported = isElsewhere(session, succeeds.parentId, declared) ? {} : { response };
  return { ...question, policy: { succeeds: { ...succeeds, ...reported } }, successor };
}

/** Whether a resource, or its replaced parent, gets another place, such as another cluster, of which the server has reported nothing. */
function isElsewhere({ ledger, now }: ProviderSession, id: string, { parentId }: ParsedInputs): boolean {
  const parent = ledger.successor((each) => each.id === id);
  if (!parent) return hasUnknown(parentId);
  const { kind, olds, resource } = parent;
  const { action } = ask(changeInState(kind, id, olds, ledger.remade(resource) ?? parent.declared, now));
  return !action || isReplacement(action);
}
