import {
  ConflictError,
  InvalidRequestError,
  LastingConflictError,
  NotFoundError,
  RateLimitedError,
} from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import type { FieldChange } from "../model/fields/compare.ts";
import { toRequest } from "../model/fields/wire.ts";
import { type Fields, isFields, mapFields, own, sameJson } from "../values/json.ts";
import { type Kind, outputsUsed, type OutputSource } from "../model/kinds/index.ts";
import type { LivePartOwner, LiveResource } from "../state/live/index.ts";
import {
  entriesIn,
  type PartChange,
  partFields,
  type PartRequest,
  partsWith,
  type DeclaredPart,
} from "../model/parts/index.ts";
import { claimHolder } from "./claim-holder.ts";
import type { Run } from "./run.ts";
import { notShown, OperationError, partlyMade, sendBack, unfinished, outdated } from "./errors.ts";
import { refuseUnnamedDependents } from "./named-losses.ts";
import { PartState } from "./part-state.ts";
import { describeParts, refuseDuplicates, untilGone, untilNext } from "./part-waits.ts";
import { refuseLess, type PlannedPart } from "./refuse-others.ts";
import { secretValue, withValues } from "./secret-values.ts";
import { type NextStep, write, type WritePolicy } from "./write.ts";
import { findByName, type ResourcePlace } from "./find.ts";

/** The handling of a change of a part: it may be sent as often as it still differs; a creation twice (`PartSends`). */
const partPolicy: WritePolicy = { resends: Infinity, checksAtOnce: false, pause: 500 };

/** What a plan says of the resource of a write. */
export interface PlannedParts {
  /** The planned changes: nothing is sent if the live resource needs others. */
  planned?: readonly FieldChange[] | undefined;
  /** The fields that the plan expects afterwards: nothing is sent that lacks some of them. */
  expected?: Fields | undefined;
  /** The parts that the plan removes, as it saw them: others are not removed. */
  seen?: readonly PlannedPart[] | undefined;
}

/**
 * Writes the declared parts in the order of their dependencies. After an unclear answer it reads them again, and
 * sends remaining differences; a creation at most twice, and never what the server has accepted. @throws
 * OperationError
 */
export async function writeParts(
  run: Run,
  owner: LivePartOwner,
  declared: Fields,
  {
    isNew,
    planned,
    expected,
    seen = [],
  }: PlannedParts & {
    /** The resource, if it has just been created, so that it has no parts yet. */
    isNew?: LiveResource;
  } = {},
): Promise<{ parts: Fields; reports: Fields; isChanged: boolean } | undefined> {
  const desired = inListsOf(planned, owner.kind, declaredEntries(partFields(owner.kind, declared)));
  if (Object.keys(desired).length === 0) return undefined;
  const state = new PartState(run, owner, desired, await sourcesOf(run, owner, desired));
  /** @param replaces whether the server replaces an entry by one of another sort, so that what refers to it stays */
  const refuseDependents = async (replaces: boolean): Promise<void> => {
    if (!planned) return;
    const removed = state.differences().filter(({ path, after }) => path.length === 2 && after === undefined);
    const isDeclared = (member: string, key: string) =>
      (own(entriesIn(desired, member), key) ?? null) !== null;
    await refuseUnnamedDependents(run, owner, state.present(), ({ part, key }) => {
      // A value that becomes a file has no plain value any more, and stays.
      const members = replaces ? Object.keys(desired) : [part.member ?? ""];
      if (members.some((member) => isDeclared(member, key))) return "declared";
      return removed.some(({ path: [member, its] }) => member === part.member && its === key)
        ? "removed"
        : undefined;
    });
  };
  const refuseRest = ({ member, form, name }: DeclaredPart) => {
    const whole = form.isWhole ? own(expected ?? {}, member) : undefined;
    const present = { [member]: own(state.desired(), member) ?? {} };
    if (whole !== undefined) refuseLess(owner, `the ${name}s`, { [member]: whole }, present);
  };
  const writer = new PartWriter(run, owner, state, refuseRest, () => refuseDependents(false));
  try {
    await (isNew ? state.readShared() : state.read());
    const differences = state.differences();
    if (!isNew) state.refuseOthers(differences, planned, seen);
    await refuseDependents(true);
    await writer.writeAll();
    if (isNew) state.tell(isNew);
    return { parts: state.desired(), reports: state.reports(), isChanged: differences.length > 0 };
  } catch (error) {
    // Who has created the resource says so itself.
    throw writer.hasWritten && !isNew ? unfinished(partlyMade, error) : error;
  }
}

/** The members that declare an entry: an empty mapping declares nothing. */
function declaredEntries(parts: Fields): Fields {
  return mapFields(parts, (entries, member) =>
    Object.keys(entriesIn(parts, member)).length > 0 ? entries : undefined,
  );
}

/** Of the declared parts, those in the lists of the planned changes; all without a plan. */
function inListsOf(planned: readonly FieldChange[] | undefined, kind: Kind, declared: Fields): Fields {
  if (!planned) return declared;
  const changed = planned.map(({ path: [member = ""] }) => member);
  const members = new Set(partsWith(kind, changed).map(({ member }) => member));
  return mapFields(declared, (entries, member) => (members.has(member) ? entries : undefined));
}

class PartWriter {
  readonly #run: Run;
  readonly #owner: LivePartOwner;
  readonly #state: PartState;
  readonly #refuse: (part: DeclaredPart) => void;
  readonly #refuseRoom: () => Promise<void>;
  /** The entries that the server says to have removed. */
  readonly #removed: { part: DeclaredPart; keys: readonly string[] }[] = [];
  /** Whether the server has carried out a request. */
  hasWritten = false;

  /**
   * @param refuse throws if a part to be sent lacks something that the plan saw
   * @param refuseRoom throws if the removal of what has a key takes more along than the plan says
   */
  constructor(
    run: Run,
    owner: LivePartOwner,
    state: PartState,
    refuse: (part: DeclaredPart) => void,
    refuseRoom: () => Promise<void>,
  ) {
    this.#run = run;
    this.#owner = owner;
    this.#state = state;
    this.#refuse = refuse;
    this.#refuseRoom = refuseRoom;
  }

  /** Writes all that differs: first the entries that depend on no other, whatever their sort. */
  async writeAll(): Promise<void> {
    for (let [first] = this.#state.allPending(); first; [first] = this.#state.allPending()) {
      const next = this.#state.nextOfAll();
      if (next) await this.#send(next.part, next.request);
      else await untilNext(this.#run, this.#state, first);
    }
    for (const { part, keys } of this.#removed.splice(0)) await untilGone(this.#run, this.#state, part, keys);
    // The server removes the aliases of a removed variable too: those that are declared are made again.
    if (this.#state.allPending().length > 0) await this.writeAll();
  }

  /** Sends a request until its changes are made, or until others have to be made first. */
  async #send(part: DeclaredPart, first: PartRequest): Promise<void> {
    const { member } = part;
    const what = describeParts(part, first.keys);
    const tries = this.#state.sends.begin(member, first);
    const left = (): PartChange[] => this.#state.pending(part).filter(({ key }) => first.keys.includes(key));
    const check = async (): Promise<NextStep<PartRequest, true>> => {
      if (!tries.isStarted) return { send: first };
      await this.#state.readBeside(part);
      const pending = left();
      if (pending.length === 0) return { end: true };
      const again = this.#state.next(part, pending);
      return again && this.#state.sends.maySend(member, again) ? { send: again } : "wait";
    };
    const send = async (request: PartRequest): Promise<true | undefined> => {
      this.#refuse(part);
      const answer = await this.#tryOnce(part, request).catch(async (error: unknown) => {
        // An earlier request may have taken the key.
        const isTaken = tries.isPerhapsOurs && error instanceof InvalidRequestError;
        if (isTaken) await this.#state.readBeside(part);
        if (isTaken && left().length === 0) return found;
        if (error instanceof ConflictError && this.#state.makesRoom(part, request)) {
          await this.#refuseRoom();
          return found;
        }
        if (error instanceof LastingConflictError && part.form.isUnique) {
          const [key = ""] = request.keys;
          const holder = await claimHolder(this.#run, this.#owner, [member, key]);
          const [whose, where] = holder
            ? [`the ${holder.kind.name} "${holder.name}"`, ""]
            : ["another resource", ": find that resource in the web console"];
          throw new OperationError(
            "exists",
            `${what} belongs to ${whose}, which must release it first${where}`,
            { cause: error, remedies: [{ again: "run" }, { again: "without" }] },
          );
        }
        throw error;
      });
      this.hasWritten = true;
      if (answer === found) return true;
      const isDone = request.isAnsweredBy?.(answer) ?? true;
      if (isDone) this.#state.done(part, request);
      this.#state.takeIn(part, request, isDone ? answer : undefined);
      if (isDone && request.method === "DELETE" && !isGone(answer))
        this.#removed.push({ part, keys: request.keys });
      if (isDone) return true;
      if (request.method === "DELETE") tries.isAccepted = true;
      if (request.method !== "PUT") return undefined;
      await this.#state.readBeside(part);
      if (left().length > 0) throw notShown(`the change of ${what}`);
      return true;
    };
    await write<PartRequest, true>(
      this.#run,
      {
        policy: partPolicy,
        words: {
          perhaps: `${what} may or may not have been written`,
          checking: "checking whether the change was made",
          gaveUp: (limit) => `the server has not shown the change of ${what} within ${limit}`,
          busy: (limit) => `${what} could not be written within ${limit}`,
        },
        limit: this.#run.limits.busy,
        about: this.#owner.id,
        check,
        send,
      },
      tries,
    );
    await refuseDuplicates(this.#run, this.#state, part, first.keys);
  }

  async #tryOnce(part: DeclaredPart, request: PartRequest): Promise<unknown> {
    const { member } = part;
    this.#state.sends.sending(member, request, this.#run.clock.now());
    try {
      return await this.#request(part, request);
    } catch (error) {
      this.#state.takeIn(part, request, undefined);
      if (
        error instanceof ConflictError ||
        error instanceof NotFoundError ||
        error instanceof RateLimitedError
      )
        this.#state.sends.refused(member, request);
      throw error;
    }
  }

  async #request(part: DeclaredPart, request: PartRequest): Promise<unknown> {
    const { method, path, body: plain = {}, secret, filled, withUnknown } = request;
    const client = writing(this.#run.client);
    const body = secret
      ? { ...plain, value: await secretValue(this.#run, secret) }
      : filled
        ? filled.bodyOf(toRequest(filled.schema, await withValues(this.#run, filled.schema, filled.fields)))
        : plain;
    if (method === "POST") return client.post(path, body);
    if (method === "PUT") {
      const whole = withUnknown?.(body) ?? body;
      const what = describeParts(part, request.keys);
      const members = sameJson(whole, body) ? "" : `members of ${what}`;
      const lacking = this.#run.approved?.lacking.get(this.#owner.id);
      return sendBack(what, members, lacking, (isWith) => client.put(path, isWith ? whole : body));
    }
    try {
      return await client.delete(path);
    } catch (error) {
      if (error instanceof NotFoundError) return { status: 404 };
      throw error;
    }
  }
}

/** Whether the answer to a removal says that there is nothing: 404. */
function isGone(answer: unknown): boolean {
  return isFields(answer) && answer["status"] === 404;
}

/** In place of an answer: live state shows that an earlier request has made the changes. */
const found = Symbol("found");

/** The siblings whose outputs the parts use; an unknown one costs at most one list. @throws OperationError `gone` or `twins` */
async function sourcesOf(run: Run, owner: LivePartOwner, declared: Fields): Promise<OutputSource[]> {
  const places = new Map(
    outputsUsed(owner.kind, declared).map(({ kind, name }): [string, ResourcePlace] => [
      `${kind.slug}:${name}`,
      { kind, name, parentId: owner.parentId },
    ]),
  );
  const sources: OutputSource[] = [];
  for (const [text, place] of places) {
    const source = await find(run, place);
    if (!source) throw outdated("gone", `${text}, whose output is needed, does not exist any more`);
    sources.push({ kind: place.kind, name: place.name, id: source.id });
  }
  return sources;
}

async function find(run: Run, place: ResourcePlace): Promise<LiveResource | undefined> {
  const { kind, parentId } = place;
  const known = await run.live.listOf(run.client, kind, parentId);
  return findByName(place, known) ?? findByName(place, await run.freshLists.readList(kind, parentId));
}
