import { NotFoundError } from "../api/index.ts";
import { compare, type FieldChange } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { type Fields, isFields, own } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { readParts } from "../live/index.ts";
import {
  ownPartFields,
  type Part,
  type PartChange,
  type PartEntry,
  partFields,
  type PartRequest,
  statedParts,
} from "../parts/index.ts";
import type { OperationContext } from "./context.ts";
import { OperationError, partlyMade, unfinished } from "./errors.ts";
import { refuseOthers } from "./refuse-others.ts";
import { write, type WritePolicy } from "./write.ts";

/** The resource of the parts. */
interface Owner {
  kind: Kind;
  id: string;
  parentId: string;
}

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
 * Undefined if no parts are stated.
 *
 * @throws OperationError `gone`, `changed`, `busy` or `unclear`
 */
export async function writeParts(
  context: OperationContext,
  owner: Owner,
  stated: Fields,
  { isNew, planned }: PartOptions = {},
): Promise<WrittenParts | undefined> {
  const wanted = partFields(owner.kind, stated);
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
  } finally {
    context.live.forgetParts(owner.id);
  }
}

class PartWriter {
  readonly #context: OperationContext;
  readonly #owner: Owner;
  readonly #stated: Fields;
  #entries: readonly PartEntry[] = [];
  /** Whether the entries are all that there is. */
  #isRead = false;
  /** What has been written since the entries were read, as `MEMBER KEY`. */
  readonly #settled = new Set<string>();
  /** Whether the server has carried out a request. */
  hasWritten = false;

  constructor(context: OperationContext, owner: Owner, stated: Fields) {
    this.#context = context;
    this.#owner = owner;
    this.#stated = stated;
  }

  async read(): Promise<void> {
    const { kind, id } = this.#owner;
    const entries = await readParts(this.#context.client.finishing, this.#owner);
    if (!entries)
      throw new OperationError("gone", `the ${kind.name} ${id} has disappeared meanwhile`, {
        remedies: [{ again: "plan" }],
      });
    this.#entries = entries;
    this.#isRead = true;
    this.#settled.clear();
  }

  /** In what the parts differ that were read, as fields of their resource. */
  differences(): FieldChange[] {
    const { fields } = this.#owner.kind;
    return compare(fields, this.#current(), this.parts());
  }

  /** The wanted parts, as fields of the resource. */
  parts(): Fields {
    return overlay(this.#owner.kind.fields, this.#current(), this.#stated);
  }

  /** Writes all that differs: what can be written first, whatever sort it is. */
  async writeAll(): Promise<void> {
    const parts = statedParts(this.#owner.kind);
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
      else if (this.#isRead && this.#settled.size === 0) throw this.#stuck(first.part, first.changes[0]);
      else await this.read();
    }
    const [first] = this.#pendingOf(parts);
    if (first) throw this.#stuck(first.part, first.changes[0]);
  }

  #pendingOf(parts: readonly Part[]): { part: Part; changes: PartChange[] }[] {
    return parts.flatMap((part) => {
      const changes = this.#pending(part);
      return changes.length > 0 ? [{ part, changes }] : [];
    });
  }

  #current(): Fields {
    return ownPartFields(this.#owner.kind, this.#entries);
  }

  #pending({ member }: Part): PartChange[] {
    const keys = this.differences().flatMap(({ path: [top, key] }) =>
      top === member && key !== undefined ? [key] : [],
    );
    const wanted = own(this.parts(), member);
    return [...new Set(keys)]
      .filter((key) => !this.#settled.has(`${member} ${key}`))
      .map((key) => {
        const entry = isFields(wanted) ? own(wanted, key) : undefined;
        return { key, wanted: isFields(entry) ? entry : undefined };
      });
  }

  #next(part: Part, changes: readonly PartChange[]): PartRequest | undefined {
    return part.form?.nextRequest(this.#owner.id, changes, this.#entries);
  }

  async #send(part: Part, first: PartRequest): Promise<void> {
    const what = describe(part, first.keys);
    const inVain = (limit: number): string => `${what} could not be written for ${limit} s`;
    const settle = (keys: readonly string[]) => {
      for (const key of keys) this.#settled.add(`${part.member} ${key}`);
    };
    const isAnswered = await write<PartRequest, boolean>(this.#context, {
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
        await this.read();
        const left = this.#pending(part).filter(({ key }) => first.keys.includes(key));
        const again = this.#next(part, left);
        return again ? { send: again } : { end: true };
      },
      send: async (request) => {
        const answer = await this.#request(request);
        this.hasWritten = true;
        const isDone = request.isAnsweredBy?.(answer) ?? true;
        if (isDone) settle(request.keys);
        return isDone;
      },
    });
    if (!isAnswered) await this.read();
  }

  async #request({ method, path, body: plain = {}, secret }: PartRequest): Promise<unknown> {
    const { client } = this.#context;
    const body = secret ? { ...plain, value: await this.#valueOf(secret) } : plain;
    if (method === "POST") return client.post(path, body);
    if (method === "PUT") return client.put(path, body);
    try {
      await client.delete(path);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    return {};
  }

  async #valueOf(reference: Fields): Promise<string> {
    const { client, secrets } = this.#context;
    if (!secrets) throw new OperationError("gone", "this run has no values of secrets");
    const value = await secrets.read(reference);
    client.hide(value);
    return value;
  }

  #stuck(part: Part, { key, wanted = {} }: PartChange = { key: "", wanted: undefined }): OperationError {
    const needed = part.form?.needs(wanted, key) ?? [];
    const names = needed.map((need) => need.key).join(", ");
    return new OperationError(
      "gone",
      `the ${part.name} ${key} needs ${names || "something"}, which is not there`,
      {
        remedies: [{ again: "plan" }],
      },
    );
  }
}

function describe({ name }: Part, keys: readonly string[]): string {
  return keys.length === 1 ? `the ${name} ${keys.join()}` : `the ${name}s ${keys.join(", ")}`;
}
