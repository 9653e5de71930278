import { NotFoundError } from "../api/index.ts";
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
  partsIn,
  type PartLists,
  type PartRequest,
  partsWith,
  type StatedPart,
} from "../parts/index.ts";
import type { OperationContext } from "./context.ts";
import { OperationError, partlyMade, unfinished } from "./errors.ts";
import { refuseOthers } from "./refuse-others.ts";
import { write, type WritePolicy } from "./write.ts";

interface PartOptions {
  /** It has just been created, so it has no parts yet. */
  isNew?: true;
  /** The changes that were planned: if those that are needed are others, nothing is sent. */
  planned?: readonly FieldChange[] | undefined;
}

/** The present parts of a resource. */
export interface WrittenParts {
  parts: Fields;
  /** Whether anything had to be changed. */
  isChanged: boolean;
}

/** How a change of a part is treated: it may be sent as often as it still differs. */
const partPolicy: WritePolicy = { resends: Infinity, looksAtOnce: false, pause: 0 };

/**
 * Writes the stated parts of a resource, one request after the other in the order of their dependencies: a variable is
 * written before its alias. After an unclear answer the parts are read again, and remaining differences are sent again.
 * The store of live state has the result: what was read, with what the answers say; what they leave open is forgotten.
 * Undefined if no parts are stated.
 *
 * @throws OperationError `gone`, `changed`, `busy` or `unclear`
 */
export async function writeParts(
  context: OperationContext,
  owner: PartOwner,
  stated: Fields,
  { isNew, planned }: PartOptions = {},
): Promise<WrittenParts | undefined> {
  const wanted = inListsOf(planned, owner.kind, partFields(owner.kind, stated));
  // Nothing is stated by an empty mapping either.
  if (Object.values(wanted).every((entries) => !isFields(entries) || Object.keys(entries).length === 0))
    return undefined;
  const writer = new PartWriter(context, owner, wanted);
  try {
    if (!isNew) await writer.read();
    if (planned) refuseOthers(owner, writer.differences(), planned);
    const isChanged = writer.differences().length > 0;
    await writer.writeAll();
    return { parts: writer.parts(), isChanged };
  } catch (error) {
    // Who has created the resource says so itself.
    throw writer.hasWritten && !isNew ? unfinished(partlyMade, error) : error;
  }
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
  /** What has been written since the lists were read, as `MEMBER KEY`. */
  readonly #settled = new Set<string>();
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
    for (const key of lists.keys()) {
      this.#read.add(key);
      this.#whole.add(key);
    }
    for (const settled of this.#settledOf(parts)) this.#settled.delete(settled);
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

  /** Writes all that differs: what can be written first, whatever sort it is. */
  async writeAll(): Promise<void> {
    const parts = this.#parts;
    // Each request settles something, or the entries are read afresh: more of them would come to nothing.
    const count = this.#pendingOf(parts).flatMap(({ changes }) => changes).length;
    for (let left = 2 * count + 2; left >= 0; left -= 1) {
      const pending = this.#pendingOf(parts);
      const [first] = pending;
      if (!first) return;
      const next = pending.flatMap(({ part, changes }) => {
        const request = this.#next(part, changes);
        return request ? [{ part, request }] : [];
      })[0];
      if (next) await this.#send(next.part, next.request);
      else {
        // What it needs may have been written by this run, and has no id before it is listed.
        const beside = this.#beside(first.part);
        const isListed = this.#read.has(this.#listOf(first.part)) && this.#settledOf(beside).length === 0;
        if (isListed) throw this.#stuck(first.part, first.changes[0]);
        await this.read(beside);
      }
    }
    const [first] = this.#pendingOf(parts);
    if (!first) return;
    const keys = first.changes.map(({ key }) => key);
    throw new OperationError(
      "unclear",
      `the server has accepted the change of ${describe(first.part, keys)}, and does not show it`,
    );
  }

  #listOf(part: StatedPart): string {
    return listingKey(part.listing(this.#owner.id));
  }

  /** The parts in the same list. */
  #beside(part: StatedPart): StatedPart[] {
    return this.#parts.filter((other) => this.#listOf(other) === this.#listOf(part));
  }

  /** What has been written of some parts since their list was read. */
  #settledOf(parts: readonly StatedPart[]): string[] {
    const members = new Set(parts.map(({ member }) => member));
    return [...this.#settled].filter((settled) => members.has(settled.split(" ")[0] ?? ""));
  }

  #pendingOf(parts: readonly StatedPart[]): { part: StatedPart; changes: PartChange[] }[] {
    return parts.flatMap((part) => {
      const changes = this.#pending(part);
      return changes.length > 0 ? [{ part, changes }] : [];
    });
  }

  #fieldsIn(lists: PartLists): Fields {
    return ownPartFields(this.#parts, this.#entriesIn(lists));
  }

  #entriesIn(lists: PartLists): PartEntry[] {
    return partsIn(lists, this.#owner.id, this.#parts) ?? [];
  }

  #pending({ member }: StatedPart): PartChange[] {
    const keys = this.differences().flatMap(({ path: [top, key] }) =>
      top === member && key !== undefined ? [key] : [],
    );
    const wanted = own(this.parts(), member);
    return [...new Set(keys)]
      .filter((key) => !this.#settled.has(`${member} ${key}`))
      .map((key) => ({ key, wanted: isFields(wanted) ? own(wanted, key) : undefined }));
  }

  #next({ form }: StatedPart, changes: readonly PartChange[]): PartRequest | undefined {
    return form.nextRequest(this.#owner.id, changes, this.#reachable());
  }

  /** The entries without those of scopes above whose key the resource has got since they were read. */
  #reachable(): PartEntry[] {
    return this.#entriesIn(this.#lists).filter(
      ({ part, key, isOwn }) => isOwn || !this.#settled.has(`${part.member} ${key}`),
    );
  }

  async #send(part: StatedPart, first: PartRequest): Promise<void> {
    const what = describe(part, first.keys);
    const inVain = (limit: number): string => `${what} could not be written within ${limit} s`;
    const sending = write<PartRequest, boolean>(this.#context, {
      policy: partPolicy,
      words: {
        perhaps: `${what} may or may not have been written`,
        checking: "checking whether that was done",
        vain: inVain,
        busy: inVain,
      },
      limit: this.#context.limits.busy,
      look: async ({ isBegun }) => {
        if (!isBegun) return { send: first };
        await this.read(this.#beside(part));
        const left = this.#pending(part).filter(({ key }) => first.keys.includes(key));
        const again = this.#next(part, left);
        return again ? { send: again } : { end: true };
      },
      send: async (request) => {
        const answer = await this.#request(request);
        this.hasWritten = true;
        const isDone = request.isAnsweredBy?.(answer) ?? true;
        if (isDone) for (const key of request.keys) this.#settled.add(`${part.member} ${key}`);
        this.#takeIn(part, request, isDone ? answer : undefined);
        return isDone;
      },
    });
    const isAnswered = await sending.catch((error: unknown) => {
      this.#takeIn(part, first, undefined);
      throw error;
    });
    if (!isAnswered) await this.read(this.#beside(part));
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
    const body = secret ? { ...plain, value: await this.#valueOf(secret) } : plain;
    if (method === "POST") return client.post(path, body);
    if (method === "PUT") return client.put(path, body);
    try {
      return await client.delete(path);
    } catch (error) {
      if (error instanceof NotFoundError) return { status: 404 };
      throw error;
    }
  }

  async #valueOf(reference: Fields): Promise<string> {
    const { client, secrets } = this.#context;
    if (!secrets) throw new OperationError("no_secrets", "this run cannot read the values of secrets");
    const value = await secrets.read(reference);
    client.hide(value);
    return value;
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

function describe({ name }: StatedPart, keys: readonly string[]): string {
  return keys.length === 1 ? `the ${name} ${keys.join()}` : `the ${name}s ${keys.join(", ")}`;
}
