import { ApiError, type Client, type Clock, RateLimitedError } from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import { textIn } from "../values/json.ts";
import { type FreshLists, type LivePartOwner, readOne, servicesOf } from "../state/live/index.ts";

/** The length of a page. A list of this length may be cut, so a missing entry proves nothing. */
const pageSize = 100;

/** The ids of a list, and the answer that they are from, which several deletions share. */
interface ListedIds {
  ids: ReadonlySet<string>;
  from: object;
}

/**
 * Deletions that arrive together. One request deletes those in the same parent, and the same lists show for all of them
 * whether they are gone: two lists in a row that lack what an earlier list of the same run has shown. One list may lag or
 * leave something out, and an accepted deletion may fail: then a live resource would leave the state. A list that shows
 * nothing at all needs a 404 for one of the resources besides.
 */
export class CascadeDeletions {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #freshLists: FreshLists;
  readonly #organizationId: () => Promise<string>;
  readonly #quiet: number;
  #waiting: {
    target: LivePartOwner;
    /** Ends the wait of a deletion: the shared request has deleted the resource, or the resource needs a request of its own. */
    settle(isSent: Promise<boolean>): void;
  }[] = [];
  /** The ids that each list has shown. */
  readonly #shown = new Map<string, Set<string>>();
  /** The ids of the deleted resources. */
  readonly #deleted = new Set<string>();
  /** The ids that the last list lacked. */
  readonly #missed = new Set<string>();
  /** Whether the empty list of an answer is true. */
  readonly #proofs = new WeakMap<object, Promise<boolean>>();
  /** Whether one list of the organization takes the place of those of several parents. */
  #isWide = false;
  #mayBeWide = true;

  /** @param quiet deletions are sent when no other has come for so many milliseconds */
  constructor(
    { client, clock, freshLists }: { client: Client; clock: Clock; freshLists: FreshLists },
    organizationId: () => Promise<string>,
    quiet: number,
  ) {
    this.#client = client;
    this.#clock = clock;
    this.#freshLists = freshLists;
    this.#organizationId = organizationId;
    this.#quiet = quiet;
  }

  /** Sends the deletion with others; false: it needs a request of its own. @throws UnclearOutcomeError */
  send(target: LivePartOwner): Promise<boolean> {
    if (!pathFor(target) || !target.kind.deployment) return Promise.resolve(false);
    this.#deleted.add(target.id);
    return new Promise((settle) => {
      this.#waiting.push({ target, settle });
      if (this.#waiting.length === 1) void this.#sendSoon();
    });
  }

  async #sendSoon(): Promise<void> {
    let count = 0;
    while (count < this.#waiting.length) {
      count = this.#waiting.length;
      await this.#clock.sleep(this.#quiet);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    const groups = [...Map.groupBy(waiting, ({ target }) => target.parentId).values()];
    this.#isWide = groups.length > 1;
    const checking =
      waiting.length > 1 ? this.#show(groups.map((group) => group.map(({ target }) => target))) : undefined;
    for (const group of groups) {
      const sending = this.#sendGroup(
        group.map(({ target }) => target),
        checking,
      );
      for (const { target, settle } of group) settle(sending.then((sent) => sent.has(target.id)));
    }
  }

  /** Reads the lists that have to show resources before their deletion. A list that cannot be read shows none. */
  async #show(groups: readonly (readonly LivePartOwner[])[]): Promise<void> {
    const unseen = groups.flatMap((group) => group.find(({ id }) => !this.#isShown(id)) ?? []);
    await Promise.allSettled(unseen.map((target) => this.#list(target, 0)));
  }

  /** @returns the ids of the resources whose deletion the server has accepted */
  async #sendGroup(
    targets: readonly LivePartOwner[],
    checking: Promise<void> | undefined,
  ): Promise<Set<string>> {
    await checking;
    // The server refuses the whole request for one that does not exist.
    const together = targets.filter(({ id }) => this.#isShown(id));
    const [first] = together;
    const path = first && pathFor(first);
    if (!first || path === undefined || together.length < 2) return new Set();
    const body = Object.fromEntries(
      [...Map.groupBy(together, ({ kind }) => kind.deployment?.ids)].map(([ids, some]) => [
        ids,
        some.map(({ id }) => id),
      ]),
    );
    try {
      await writing(this.#client).post(path, body);
    } catch (error) {
      if (isRefusal(error)) return new Set();
      // The list waits for the quota, or throws.
      const listed = error instanceof RateLimitedError ? await this.#list(first, 0) : undefined;
      if (!listed) throw error;
      if (together.some(({ id }) => listed.ids.has(id))) return this.#sendGroup(targets, undefined);
    }
    return new Set(together.map(({ id }) => id));
  }

  #isShown(id: string): boolean {
    return [...this.#shown.values()].some((ids) => ids.has(id));
  }

  /** Whether a list lacks a resource, `unproved` if it is the first to; undefined: lists cannot tell. */
  async refresh(
    target: LivePartOwner,
    requested: number,
    signal?: AbortSignal,
  ): Promise<"unproved" | "gone" | undefined> {
    const { id } = target;
    if (!this.#isShown(id)) return undefined;
    const listed = await this.#list(target, requested, signal);
    if (listed?.ids.has(id)) {
      this.#missed.delete(id);
      return "unproved";
    }
    if (!listed?.isWhole) return undefined;
    if (!this.#missed.has(id)) {
      this.#missed.add(id);
      return "unproved";
    }
    return listed.ids.size > 0 || (await this.#isEmpty(listed, target)) ? "gone" : undefined;
  }

  /** Whether an empty list is true, because one of the resources that it lacks is gone. */
  #isEmpty({ from }: ListedIds, { kind, id, parentId }: LivePartOwner): Promise<boolean> {
    const proof =
      this.#proofs.get(from) ??
      readOne(this.#client, kind, id, parentId).then(
        (live) => live === undefined,
        () => false,
      );
    this.#proofs.set(from, proof);
    return proof;
  }

  async #list(
    target: LivePartOwner,
    requested: number,
    signal?: AbortSignal,
  ): Promise<(ListedIds & { isWhole: boolean }) | undefined> {
    const wide = this.#isWide && this.#mayBeWide ? await this.#listAll(requested, signal) : undefined;
    const reading = wide ?? (await this.#listParent(target, requested, signal));
    if (!reading) return undefined;
    const { ids } = reading;
    const key = wide ? "" : target.parentId;
    const shown = new Set([...(this.#shown.get(key) ?? []), ...ids]);
    this.#shown.set(key, shown);
    const isWhole = ids.size < pageSize && [...shown].every((id) => ids.has(id) || this.#deleted.has(id));
    return { ...reading, isWhole };
  }

  /** The services of the organization; undefined if they are too many for one request, or may not be listed. */
  async #listAll(requested: number, signal?: AbortSignal): Promise<ListedIds | undefined> {
    const organizationId = await this.#organizationId().catch(() => undefined);
    const services =
      organizationId === undefined
        ? undefined
        : await this.#freshLists.share(`services ${organizationId}`, requested, signal, (client) =>
            unlessRefused(servicesOf(client, organizationId)),
          );
    if (services === undefined || services.length > pageSize) {
      this.#mayBeWide = false;
      return undefined;
    }
    return { ids: new Set(services.map((service) => textIn(service, "id") ?? "")), from: services };
  }

  async #listParent(
    { kind, parentId }: LivePartOwner,
    requested: number,
    signal?: AbortSignal,
  ): Promise<ListedIds | undefined> {
    const contents = await this.#freshLists.readList(kind, parentId, requested, signal);
    return contents && !contents.isPartial
      ? { ids: new Set([...contents.resources, ...contents.unknown].map(({ id }) => id)), from: contents }
      : undefined;
  }
}

function pathFor({ kind, parentId }: LivePartOwner): string | undefined {
  return kind.parent?.requests.removeInside?.(parentId);
}

async function unlessRefused<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Whether the server has refused this request for its content, so that another request may succeed. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 405, 409, 422].includes(error.status ?? 0);
}
