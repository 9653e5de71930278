import type { Fields } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { type Contents, type LiveResource, readOne } from "../../core/state/live/index.ts";
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
import { movedClaims } from "../../core/rules/claims.ts";
import { isAsCreated } from "../../core/rules/spelling.ts";
import { normalizedBy } from "./details.ts";
import { UnfinishedError } from "./errors.ts";
import { carryOut, refuse } from "./gate.ts";
import { engineProperties, isCreated, type Properties, readInputs, type ParsedInputs } from "./inputs.ts";
import { liveAfter } from "./live.ts";
import { awaitFree, awaitName, withoutParent } from "./names-in-use.ts";
import { memoryOf, memoryOutputs, outputsOf, withShown } from "./outputs.ts";
import type { CallOptions, WrittenResource } from "./program-resource.ts";
import { adoptedOf, askServer, changeOf, creationOf, sourceOf } from "./plan-request.ts";
import type { ProviderSession } from "./session.ts";
import { holderObjection, sameNameObjection } from "./words.ts";

/** A resource that will be created, cloned or taken over. */
interface CreateCall extends ResourcePlace {
  session: ProviderSession;
  declared: ParsedInputs;
  /** Its name in the program; undefined: unknown. */
  resource: string | undefined;
  run: Run;
  /** Call it as soon as the resource may exist, so that the state keeps it. */
  onId(id: string): void;
}

/** The new resource, and the fields of its creation with resolved references. */
interface CreatedResource {
  /** Undefined: an adopted resource was already as declared. */
  done: WriteResult | undefined;
  id: string;
  /** The adopted resource, before the change. */
  before?: LiveResource;
  fields: Fields;
}

/**
 * Creates, clones or adopts a resource.
 *
 * @throws UnfinishedError when a step after the creation has failed, and when the outcome of the creation is unknown
 */
export async function create(
  session: ProviderSession,
  kind: Kind,
  news: Properties,
  { resource, limit }: CallOptions,
): Promise<WrittenResource & { id: string }> {
  const declared = readInputs(kind, news);
  const { name } = declared;
  const parentId = await session.parentIdOf(declared.parentId);
  const place = { kind, parentId, name };
  if (!session.ledger.claim(place, resource)) refuse("", [sameNameObjection(place)]);
  const memory = memoryOf(declared);
  let known: string | undefined;
  const shown = (outs: Properties) => withShown(kind, outs, session.shown.get(known ?? ""));
  try {
    const onId = (made: string) => void (known = made);
    const making = { ...place, session, declared, resource, run: limited(session.run, limit), onId };
    const existing = await existingFor(making);
    await awaitFree(session, making.run, movedClaims(kind, {}, declared.fields).gained);
    const made = existing ? await takeOver(making, existing) : await createNew(making);
    known = made.id;
    if (!existing) session.ledger.record({ did: "made", id: known, urn: resource, kind: kind.name });
    const live = await liveAfter(session, { kind, parentId, memory, ...made });
    return {
      id: known,
      outs: shown(outputsOf(live, memory, made.fields)),
      notes: normalizedBy(kind, news, made.done?.normalized),
    };
  } catch (error) {
    const unfinished = (isUnclear: boolean): Properties => ({
      ...engineProperties(news),
      ...shown(memoryOutputs(kind, name, parentId, { ...memory, isUnfinished: true, isUnclear })),
    });
    const { code, made = [] } = error instanceof OperationError ? error : {};
    // A duplicate or renamed resource must stay in the state, or the next `pulumi up` would create one more.
    known ??= made[0];
    if (known !== undefined) {
      // The error of a pending creation already tells its progress.
      const what = code === "pending" ? "" : `it has been created (${known}), but `;
      throw UnfinishedError.after(known, unfinished(false), `${what}it is not finished`, error);
    }
    if (code !== "unclear") throw error;
    const what = "its creation may or may not have happened";
    throw UnfinishedError.after("unclear", unfinished(true), what, error);
  }
}

/**
 * The existing resource with the declared id or the name, and its holder (absent: none but this resource), except an
 * unfinished clone, which is continued instead.
 */
async function existingFor(
  making: CreateCall,
): Promise<{ live: LiveResource; holder?: HolderKind | undefined } | undefined> {
  const { session, kind, declared, resource, parentId } = making;
  const { ledger, settings } = session;
  const chosen = await adoptedOf(session, kind, { ...declared, parentId });
  // Initial resources are never created. Those in the state wait for a successor that was reverted.
  const adopts = chosen ?? (declared.adopt || settings.adopt || !isCreated(kind));
  const there = chosen ?? (await findExisting(making));
  if (!there) return undefined;
  const isRetried = !chosen && (ledger.isAt(making, "retried") || (await isInterrupted(making, there)));
  if (isRetried && declared.cloneFrom !== undefined) return undefined;
  const isOwn = isRetried || ledger.isOwn(there.id, resource) || ledger.isReplaced(there.id);
  const live = adopts || isOwn ? there : await awaitName(session, making, making.run, there);
  if (!live) return undefined;
  const holder = otherHolder(making, live.id);
  if (holder) return { live, holder };
  return { live, ...(!adopts && !isRetried && !ledger.isOwn(live.id, resource) && { holder: "nobody" }) };
}

function otherHolder({ session: { ledger }, resource }: CreateCall, id: string): HolderKind | undefined {
  if (ledger.isReplaced(id)) return "predecessor";
  return ledger.isOfAnother(id, resource) ? "another" : undefined;
}

/**
 * Whether an earlier run of this stack was killed while it created the resource, and the existing one has been created
 * since, as declared. Resources with a value that the API shows once are not adopted, because that value is lost.
 */
async function isInterrupted(making: CreateCall, existing: LiveResource): Promise<boolean> {
  const { session, kind, parentId, declared, resource } = making;
  const since = session.started.startedAt(making, resource, session.client.serverTime);
  if (since === undefined || kind.shownOnce !== undefined || !isNew(existing, since)) return false;
  // A clone gets its overrides after its creation; the continuation checks whether it is a copy.
  if (declared.cloneFrom !== undefined) return true;
  const question = changeOf({ ...existing, parentId }, declared, withoutParts(kind, declared.fields));
  const { action } = await askServer(session, question, "references");
  return (
    action !== undefined && isAsCreated({ kind, fields: action.declared, isClone: false }, existing.fields)
  );
}

async function findExisting(making: CreateCall): Promise<LiveResource | undefined> {
  const { session, kind, parentId } = making;
  const children = await session.listOf(kind, parentId);
  if (!children) throw withoutParent(session, kind, parentId);
  const isListed = findByName(making, children) !== undefined;
  const listed = isListed ? children : await session.completeListOf(kind, parentId);
  const existing = findByName(making, listed);
  return existing && readOne(session.client, kind, existing.id, parentId);
}

/** Makes a live resource that of the program, as an update of the planner. */
async function takeOver(
  making: CreateCall,
  { live: found, holder }: NonNullable<Awaited<ReturnType<typeof existingFor>>>,
): Promise<CreatedResource> {
  const { session, kind, declared, parentId, resource, run } = making;
  const { ledger } = session;
  const live = { ...found, parentId };
  if (!holder) ledger.record({ did: "adopted", id: live.id, urn: resource, kind: kind.name });
  // Another process may have adopted it.
  const isLate = () => resource !== undefined && ledger.isOfAnother(live.id, resource);
  const holderNow = () => holder ?? (isLate() ? "another" : undefined);
  const question = {
    ...changeOf(withEmptyParts(live), declared, withChangedValues(kind, declared.fields, {})),
    policy: { otherHolder: holderNow },
  };
  const refusal = holderNow() ? "" : `the ${kind.name} "${live.name}" (${live.id}) cannot be adopted: `;
  const change = { question, purpose: "write" as const, freshly: () => ({ live }), refusal };
  const { action, done } = await carryOut(session, change, run);
  return { done, id: live.id, before: found, fields: action.expected };
}

/**
 * Creates a resource so that the next run knows of it if this one is killed: an error reaches the state, or means that
 * the resource does not exist. A resource of that name that the program does not have may be the new one.
 */
async function createNew(making: CreateCall): Promise<CreatedResource> {
  const { session, run, kind, parentId, name, declared, resource, onId } = making;
  const { started, ledger } = session;
  started.begin(making, resource, session.client.serverTime);
  try {
    const source = await sourceOf(session, kind, { ...declared, parentId });
    const listed = (await session.listOf(kind, parentId)) ?? nothing;
    // A clone that an earlier run has requested may exist; creation continues it.
    const isIt = (each: LiveResource) => each.kind === kind && nameKey(each.name) === nameKey(name);
    const beside = { ...listed, resources: listed.resources.filter((each) => !isIt(each)) };
    const others = beside.resources
      .filter((each) => ledger.has(each.id) || !mayBeRewritten(name, each.name))
      .map((each) => each.name);
    const change = {
      question: creationOf(kind, { ...declared, parentId }, { beside, others, ...(source && { source }) }),
      purpose: "write" as const,
      freshly: () => ({ onId }),
      ...(source && { refusal: `a clone of "${source.live.name}" (${source.live.id}) is not possible: ` }),
    };
    const { action, done } = await carryOut(session, change, run);
    if (!done) throw new Error(`internal error: the ${kind.name} was not created; please report it`);
    const holder = otherHolder(making, done.id);
    if (holder) refuse("", [holderObjection(holder, kind, { name, id: done.id })]);
    return { done, id: done.id, fields: action.expected };
  } catch (error) {
    started.settle(making);
    throw error;
  }
}

const nothing: Contents = { resources: [], unknown: [] };
