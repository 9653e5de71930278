import { ConflictError, InvalidRequestError, NotFoundError } from "../api/index.ts";
import { compare, type FieldChange } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { type Fields, isFields, mapFields, own } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { PartOwner } from "../live/index.ts";
import {
  listingKey,
  listingsOf,
  ownPartFields,
  type PartChange,
  type PartEntry,
  partFields,
  partReports,
  partsIn,
  type PartLists,
  type PartRequest,
  partsWith,
  type StatedPart,
} from "../parts/index.ts";
import type { OperationContext } from "./context.ts";
import { OperationError, partlyMade, unfinished } from "./errors.ts";
import { duplicated } from "./made.ts";
import { PartSends } from "./part-sends.ts";
import { refuseOthers } from "./refuse-others.ts";
import { secretValue } from "./secret-values.ts";
import { pollDelay, until } from "./wait.ts";
import { type Verdict, write, type WritePolicy } from "./write.ts";

interface PartOptions {
  /** It has just been created, so it has no parts yet. */
  isNew?: true;
  /** The changes that were planned: if those that are needed are others, nothing is sent. */
  planned?: readonly FieldChange[] | undefined;
}

/** The present parts of a resource. */
export interface WrittenParts {
  parts: Fields;
  /** What the API reports of them. */
  reports: Fields;
  /** Whether anything had to be changed. */
  isChanged: boolean;
}

/** How a change of a part is treated: it may be sent as often as it still differs; a creation twice (`PartSends`). */
const partPolicy: WritePolicy = { resends: Infinity, looksAtOnce: false, pause: 500 };

/**
 * Writes the stated parts of a resource, one request after the other in the order of their dependencies: a variable is
 * written before its alias. After an unclear answer the parts are read again, and remaining differences are sent again;
 * a creation is sent twice at most. What the server has accepted is never sent again, also if a list does not show it.
 * The store of live state has the result: what was read, with what the answers say; what they leave open is forgotten.
 * Undefined if no parts are stated.
 *
 * @throws OperationError `gone`, `changed`, `busy`, `unclear`, `pending` or `duplicated`
 */
export async function writeParts(
  context: OperationContext,
  owner: PartOwner,
  stated: Fields,
  { isNew, planned }: PartOptions = {},
): Promise<WrittenParts | undefined> {
  const wanted = inListsOf(planned, owner.kind, statedEntries(partFields(owner.kind, stated)));
  if (Object.keys(wanted).length === 0) return undefined;
  const writer = new PartWriter(context, owner, wanted);
  try {
    if (!isNew) await writer.read();
    if (planned) refuseOthers(owner, writer.differences(), planned);
    const isChanged = writer.differences().length > 0;
    await writer.writeAll();
    return { parts: writer.parts(), reports: writer.reports(), isChanged };
  } catch (error) {
    // Who has created the resource says so itself.
    throw writer.hasWritten && !isNew ? unfinished(partlyMade, error) : error;
  }
}

/** The members that state an entry: an empty mapping states nothing. */
function statedEntries(parts: Fields): Fields {
  return mapFields(parts, (entries) =>
    isFields(entries) && Object.keys(entries).length > 0 ? entries : undefined,
  );
}

/** Of the stated parts, those in the lists of the planned changes; all without a plan. */
function inListsOf(planned: readonly FieldChange[] | undefined, kind: Kind, stated: Fields): Fields {
  if (!planned) return stated;
  const changed = planned.map(({ path: [member = ""] }) => member);
  const members = new Set(partsWith(kind, changed).map(({ member }) => member));
  return mapFields(stated, (entries, member) => (members.has(member) ? entries : undefined));
}

class PartWriter {
  readonly #context: OperationContext;
  readonly #owner: PartOwner;
  readonly #stated: Fields;
  /** The sorts of parts that are stated, and those in the same lists. */
  readonly #parts: readonly StatedPart[];
  /** What is known of the lists. */
  #lists: PartLists;
  /** The keys of the lists that have been read. */
  readonly #read = new Set<string>();
  /** The keys of the lists that are known to the last entry: they have been read, and the answers since have told all. */
  readonly #whole = new Set<string>();
  readonly #sends = new PartSends();
  /** Whether the server has carried out a request. */
  hasWritten = false;

  constructor(context: OperationContext, owner: PartOwner, stated: Fields) {
    this.#context = context;
    this.#owner = owner;
    this.#stated = stated;
    this.#parts = partsWith(owner.kind, Object.keys(stated));
    this.#lists = new Map([...listingsOf(owner.id, this.#parts).keys()].map((key) => [key, []]));
  }

  /** @param parts those whose lists are read; all when left out */
  async read(parts: readonly StatedPart[] = this.#parts): Promise<void> {
    const { kind, id } = this.#owner;
    const { client, live } = this.#context;
    const lists = await live.lookAtParts(client.finishing, this.#owner, parts);
    if (!lists)
      throw new OperationError("gone", `the ${kind.name} ${id} has disappeared meanwhile`, {
        remedies: [{ again: "plan" }],
      });
    this.#lists = new Map([...this.#lists, ...lists]);
    const differing = this.#differing();
    this.#sends.listed(membersOf(parts), (member, key) => !differing.get(member)?.has(key));
    for (const part of parts) {
      const key = this.#listOf(part);
      this.#read.add(key);
      // A list that does not show yet what the server has accepted is not kept.
      const isLate = this.#sends.unlistedIn(membersOf(this.#beside(part))).length > 0;
      if (isLate) live.takeInParts(this.#owner, part.listing(id), undefined);
      if (isLate) this.#whole.delete(key);
      else this.#whole.add(key);
    }
  }

  /** In what the parts of some lists differ from those that are wanted, as fields of their resource. */
  differences(lists = this.#lists): FieldChange[] {
    const { fields } = this.#owner.kind;
    const current = this.#fieldsIn(lists);
    return compare(fields, current, overlay(fields, current, this.#stated));
  }

  /** The wanted parts, as fields of the resource. */
  parts(): Fields {
    return overlay(this.#owner.kind.fields, this.#fieldsIn(this.#lists), this.#stated);
  }

  /** What the API reports of the parts, as far as answers and lists tell. */
  reports(): Fields {
    return partReports({ parts: this.#parts }, this.#entriesIn(this.#lists));
  }

  /** Writes all that differs: what can be written first, whatever sort it is. */
  async writeAll(): Promise<void> {
    for (let [first] = this.#allPending(); first; [first] = this.#allPending()) {
      const next = this.#nextOfAll();
      if (next) await this.#send(next.part, next.request);
      else await this.#untilListed(first);
    }
  }

  /**
   * Reads a list until another request can be sent: what an entry needs may have been written by this run, and has no id
   * before it is listed.
   */
  async #untilListed({ part, changes: [change] }: PendingPart): Promise<void> {
    const { clock, limits, signal } = this.#context;
    const beside = this.#beside(part);
    const unlisted = (): string[] => this.#sends.unlistedIn(membersOf(beside)).map(({ key }) => key);
    const isKnown = (): boolean => this.#read.has(this.#listOf(part)) && unlisted().length === 0;
    if (isKnown()) throw this.#stuck(part, change);
    const found = await until(clock, limits.busy, signal, async (attempt) => {
      await clock.sleep(pollDelay(attempt), signal);
      await this.read(beside);
      if (this.#nextOfAll()) return true;
      if (isKnown()) throw this.#stuck(part, change);
      return undefined;
    });
    if (!found) throw notListed(unlisted().join(", "), limits.busy);
  }

  #listOf(part: StatedPart): string {
    return listingKey(part.listing(this.#owner.id));
  }

  /** The parts in the same list. */
  #beside(part: StatedPart): StatedPart[] {
    return this.#parts.filter((other) => this.#listOf(other) === this.#listOf(part));
  }

  #allPending(): PendingPart[] {
    return this.#parts.flatMap((part) => {
      const changes = this.#pending(part);
      return changes.length > 0 ? [{ part, changes }] : [];
    });
  }

  #nextOfAll(): { part: StatedPart; request: PartRequest } | undefined {
    for (const { part, changes } of this.#allPending()) {
      const request = this.#next(part, changes);
      if (request) return { part, request };
    }
    return undefined;
  }

  #fieldsIn(lists: PartLists): Fields {
    return ownPartFields(this.#parts, this.#entriesIn(lists));
  }

  #entriesIn(lists: PartLists): PartEntry[] {
    return partsIn(lists, this.#owner.id, this.#parts) ?? [];
  }

  /** The keys of the entries that differ, by their members. */
  #differing(): Map<string, Set<string>> {
    const differing = new Map<string, Set<string>>();
    for (const {
      path: [member = "", key],
    } of this.differences())
      if (key !== undefined) differing.set(member, (differing.get(member) ?? new Set()).add(key));
    return differing;
  }

  #pending({ member }: StatedPart): PartChange[] {
    const wanted = own(this.parts(), member);
    return [...(this.#differing().get(member) ?? [])]
      .filter((key) => !this.#sends.isDone(member, key))
      .map((key) => ({ key, wanted: isFields(wanted) ? own(wanted, key) : undefined }));
  }

  #next({ form }: StatedPart, changes: readonly PartChange[]): PartRequest | undefined {
    return form.nextRequest(this.#owner.id, changes, this.#reachable());
  }

  /** The entries without those of scopes above whose key the resource has got since they were read. */
  #reachable(): PartEntry[] {
    return this.#entriesIn(this.#lists).filter(
      ({ part, key, isOwn }) => isOwn || !this.#sends.isUnlisted(part.member, key),
    );
  }

  /** Sends a request until its changes are made, or until others have to be made first. */
  async #send(part: StatedPart, first: PartRequest): Promise<void> {
    const { member } = part;
    const what = describe(part, first.keys);
    const tries = this.#sends.begin(member, first);
    const left = (): PartChange[] => this.#pending(part).filter(({ key }) => first.keys.includes(key));
    const look = async (): Promise<Verdict<PartRequest, true>> => {
      if (!tries.isBegun) return { send: first };
      await this.read(this.#beside(part));
      const pending = left();
      if (pending.length === 0) return { end: true };
      const again = this.#next(part, pending);
      return again && this.#sends.maySend(member, again) ? { send: again } : "wait";
    };
    const send = async (request: PartRequest): Promise<true | undefined> => {
      const answer = await this.#tryOnce(member, request).catch(async (error: unknown) => {
        // An earlier request may have taken the key.
        const isTaken = tries.isPerhaps && error instanceof InvalidRequestError;
        if (isTaken) await this.read(this.#beside(part));
        if (isTaken && left().length === 0) return found;
        throw error;
      });
      this.hasWritten = true;
      if (answer === found) return true;
      const isDone = request.isAnsweredBy?.(answer) ?? true;
      if (isDone) this.#sends.done(member, request.keys);
      this.#takeIn(part, request, isDone ? answer : undefined);
      if (isDone) return true;
      if (isFields(answer) && answer["status"] === 202 && request.method === "DELETE") tries.accept();
      return undefined;
    };
    await write<PartRequest, true>(
      this.#context,
      {
        policy: partPolicy,
        words: {
          perhaps: `${what} may or may not have been written`,
          checking: "checking whether that was done",
          vain: (limit) => `the server has not shown the change of ${what} within ${limit} s`,
          busy: (limit) => `${what} could not be written within ${limit} s`,
        },
        limit: this.#context.limits.busy,
        look,
        send,
      },
      tries,
    ).catch((error: unknown) => {
      this.#takeIn(part, first, undefined);
      throw error;
    });
    await this.#refuseTwins(part, first.keys);
  }

  /**
   * After two creations that may both have been carried out, waits until the list would show both parts.
   *
   * @throws OperationError `duplicated`, or `pending` if the list shows none
   */
  async #refuseTwins(part: StatedPart, keys: readonly string[]): Promise<void> {
    const twice = this.#sends.twiceOf(part.member, keys);
    if (twice.length === 0) return;
    const { clock, limits, signal } = this.#context;
    const between = this.#sends.spanOf(part.member, twice);
    let firstSeen: number | undefined;
    const seen = await until(clock, limits.busy, signal, async (attempt) => {
      await clock.sleep(pollDelay(attempt), signal);
      await this.read(this.#beside(part));
      const idsOf = (key: string) => this.#ownIds(part, key);
      for (const key of twice) if (idsOf(key).length > 1) throw duplicated(idsOf(key), describe(part, [key]));
      if (!twice.every((key) => idsOf(key).length > 0)) return undefined;
      firstSeen ??= clock.now();
      return clock.now() - firstSeen >= between ? true : undefined;
    });
    if (!seen) throw notListed(twice.join(", "), limits.busy);
  }

  #ownIds({ member }: StatedPart, key: string): string[] {
    const entries = this.#entriesIn(this.#lists).filter(
      (entry) => entry.part.member === member && entry.isOwn && entry.key === key,
    );
    return [...new Set(entries.map(({ response }) => String(response["id"])))];
  }

  async #tryOnce(member: string, request: PartRequest): Promise<unknown> {
    this.#sends.sending(member, request, this.#context.clock.now());
    try {
      return await this.#request(request);
    } catch (error) {
      if (error instanceof ConflictError) this.#sends.refused(member, request);
      throw error;
    }
  }

  /** Enters what an answer says. @param answer undefined: it does not say what has been done */
  #takeIn(part: StatedPart, { keys, listedAfter }: PartRequest, answer: unknown): void {
    const listing = part.listing(this.#owner.id);
    const key = listingKey(listing);
    const listed = answer === undefined ? undefined : listedAfter?.(answer, this.#lists.get(key) ?? []);
    const lists = listed && new Map([...this.#lists, [key, listed]]);
    // A list that does not show what was sent is not believed.
    const isAsSent =
      lists &&
      !this.differences(lists).some(
        ({ path: [top, inner = ""] }) => top === part.member && keys.includes(inner),
      );
    if (lists && isAsSent) this.#lists = lists;
    else this.#whole.delete(key);
    this.#context.live.takeInParts(this.#owner, listing, this.#whole.has(key) ? listed : undefined);
  }

  async #request({ method, path, body: plain = {}, secret }: PartRequest): Promise<unknown> {
    const { client } = this.#context;
    const body = secret ? { ...plain, value: await secretValue(this.#context, secret) } : plain;
    if (method === "POST") return client.post(path, body);
    if (method === "PUT") return client.put(path, body);
    try {
      return await client.delete(path);
    } catch (error) {
      if (error instanceof NotFoundError) return { status: 404 };
      throw error;
    }
  }

  #stuck(part: StatedPart, { key, wanted }: PartChange = { key: "", wanted: undefined }): OperationError {
    const needed = part.form.needs(isFields(wanted) ? wanted : {}, key);
    const names = needed.map((need) => need.key).join(", ");
    return new OperationError(
      "missing_part",
      names === ""
        ? `the ${part.name} ${key} could not be written: the server keeps showing another value`
        : `the ${part.name} ${key} needs ${names}, which does not exist`,
      { remedies: [{ again: "plan" }] },
    );
  }
}

/** The changes of some parts that have to be made. */
interface PendingPart {
  part: StatedPart;
  changes: PartChange[];
}

/** Stands for an answer: a look has found that an earlier request has made the changes. */
const found = Symbol("found");

function membersOf(parts: readonly StatedPart[]): Set<string> {
  return new Set(parts.map(({ member }) => member));
}

/** @param limit in milliseconds */
function notListed(keys: string, limit: number): OperationError {
  return new OperationError(
    "pending",
    `the server has accepted the change of ${keys}, and has not listed it within ${limit / 1000} s`,
    { remedies: [{ again: "run" }] },
  );
}

function describe({ name }: StatedPart, keys: readonly string[]): string {
  return keys.length === 1 ? `the ${name} ${keys.join()}` : `the ${name}s ${keys.join(", ")}`;
}
