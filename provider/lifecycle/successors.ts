import { hasUnknown } from "../../core/problems/unknown.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { readByName } from "../../core/operations/index.ts";
import { camelCase } from "./casing.ts";
import { claimsMoved } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { judged, judgedBeside, refuse } from "./gate.ts";
import type { Properties } from "./inputs.ts";
import { parentIn, type Successor } from "./ledger.ts";
import { awaitWord, nameObjection } from "./names-in-use.ts";
import { recall } from "./outputs.ts";
import {
  creationOf,
  deletionOf,
  type Order,
  readingLosses,
  readingPreview,
  readingReferences,
  type ResourceQuestion,
} from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import type { InputMistake } from "./words.ts";

/**
 * Asks the planner about successors and about the deletions of their predecessors. Await this before deleting any
 * replaced resource: the engine deletes the dependants of a replaced resource first.
 *
 * @throws RefusedError when a successor cannot be made, or a predecessor cannot be deleted
 */
export async function checkSuccessors(session: ProviderSession, id: string): Promise<void> {
  for (const successor of session.ledger.takeSuccessors()) {
    const checking = Promise.all([checkCreation(session, successor), checkDeletion(session, successor)]);
    session.successors.set(successor.id, checking);
    // Whoever waits for it gets the error.
    checking.catch(() => undefined);
  }
  await session.successors.get(id);
  const others = await Promise.allSettled(session.successors.values());
  const refused = others.find((each) => each.status === "rejected");
  // The error of another resource would not be seen.
  if (refused)
    throw new RefusedError(
      `it stays, because this run cannot replace another resource: ${(refused.reason as Error).message}`,
    );
}

/**
 * Checks the replacement of which a preview makes the new resource. The engine asks about all dependants of a replaced
 * resource before it makes them, or makes that resource.
 *
 * @param isMade whether the engine makes the resource; otherwise it only checks its inputs, before it asks about dependants
 * @throws RefusedError where `up` would refuse
 */
export async function checkReplacement(
  session: ProviderSession,
  question: ResourceQuestion | Order | undefined,
  isMade: boolean,
): Promise<void> {
  if (!question || !("gets" in question) || question.existing) return;
  const { ledger } = session;
  const { kind, gets } = question;
  const successor = ledger.successor(
    ({ kind: other, declared }) =>
      other === kind && declared.name === gets?.name && declared.parentId === gets.parentId,
  );
  if (!successor) return;
  await checkCreation(session, successor);
  if (isMade) await checkDeletion(session, successor);
  const above = ledger.goesWithParent(successor.id) ? parentIn(successor.from) : undefined;
  const parent = above && ledger.successor(({ id }) => id === above);
  if (parent) await checkDeletion(session, parent);
}

/** @throws RefusedError when the deletion is forbidden, or takes along what this run does not delete by itself */
async function checkDeletion(session: ProviderSession, { id, kind, olds }: Successor): Promise<void> {
  const { isUnclear, deleteContents } = recall(olds);
  if (isUnclear) return;
  const mayEmpty = deleteContents || session.ledger.mayEmpty(id);
  const question = await deletionOf(session, kind, id, olds, { mayEmpty, isReplaced: true });
  const may: typeof readingLosses = (...request) => ({
    ...readingLosses(...request),
    asAfter: (other) => other !== id,
  });
  await judged(session, { question, may, isAhead: true });
}

async function checkCreation(session: ProviderSession, successor: Successor): Promise<void> {
  const { ledger, settings, run } = session;
  const { kind, declared, resource, isMoved, from, exchange } = successor;
  const { name, adopt, adoptId } = declared;
  const objections: InputMistake[] = [];
  const parentId = await session.parentIdOf(declared.parentId);
  const mayBeThere = adopt || adoptId !== undefined || settings.adopt || hasUnknown([name, parentId]);
  const place = { kind, parentId, name };
  const there = isMoved && !mayBeThere ? await readByName(run, place) : undefined;
  // It may also be the new resource: with `deleteBeforeReplace: false`, that is created first.
  const isNew = there && ledger.has(there.id) && !ledger.isOfAnother(there.id, resource);
  if (there && !isNew && !ledger.isAt(place, "moved")) await awaitWord(session, () => ledger.has(there.id));
  if (ledger.isExchanged(from)) throw new RefusedError(exchange);
  // The creation waits for one that gives up the place.
  if (there && !isNew && !ledger.isAt(place, "moved")) objections.push(nameObjection(session, there, false));
  objections.push(...(await creationObjections(session, successor)));
  refuse(`the ${kind.name} "${name}" cannot be replaced: `, objections);
}

/** Unresolved references, and the exclusive values that the new resource would not get, because another one keeps them. */
async function creationObjections(
  session: ProviderSession,
  { kind, olds, declared }: Successor,
): Promise<InputMistake[]> {
  const isNamed = gained(session, { kind, olds, declared });
  const { objections, proposal } = await judgedBeside(session, {
    question: creationOf(kind, declared),
    may: (question, world) => {
      const reading = (isNamed ? readingPreview : readingReferences)(question, world);
      // The stages of the environment.
      const isSibling = (id: string, onDemand?: Kind) => id === question.parentId && onDemand !== undefined;
      const list: typeof reading.list = (id, onDemand) =>
        reading.list(id, onDemand) || isSibling(id, onDemand);
      return { ...reading, list, defaults: true, once: true, asAfter: () => true };
    },
    isNamed,
    isAhead: true,
  });
  const claimed = proposal.plan.notes.flatMap(({ claimed: member, message }): InputMistake[] => {
    const property = camelCase(member ?? "");
    return member === undefined
      ? []
      : [{ property, reason: `${property}: ${message}, which must release it first` }];
  });
  return [...objections, ...claimed];
}

/** Whether a replacement gets an exclusive value that no resource of the program gives up. */
function gained(
  { ledger }: ProviderSession,
  { kind, olds, declared }: Pick<Successor, "kind" | "declared"> & { olds: Properties },
): boolean {
  return claimsMoved(kind, olds, declared.fields).gained.some((claim) => !ledger.isAt(claim, "moved"));
}
