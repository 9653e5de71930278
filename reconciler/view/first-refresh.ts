import { addressKey } from "../../core/model/addresses/address.ts";
import type { Client } from "../../core/api/index.ts";
import { type AuditEvent, eventsSince } from "../../core/state/events/index.ts";
import { type Action, deletes, isChange, makes } from "../../core/planning/plan/index.ts";
import type { Digests } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { environmentOf } from "../policy/index.ts";
import type { CommitSource, LoadedCommit } from "./commits.ts";
import { unlessShort } from "./coverage.ts";
import { documentDigests } from "./digests.ts";

/** Document histories have a resolution of one second. */
const second = 1000;
/** The validity of read events, in milliseconds. */
const longestBelief = 600_000;

export interface FirstRefreshSettings {
  source: Pick<CommitSource, "before" | "changes">;
  /** The last change of a resource in the events of this refresh; milliseconds since 1970, by the server's clock. */
  changedAt: (action: Action) => number | undefined;
}

/** Without a record of the last apply, resources that are newer than their document, or that the events do not cover, have drifted. */
export class FirstRefresh {
  readonly #settings: FirstRefreshSettings;
  readonly #memory: Pick<Memory, "appliedIn">;
  #changes: { at: number; since: number; last: ReadonlyMap<string, number> | undefined } | undefined;
  #declared: { tree: string; since: ReadonlyMap<string, number> } | undefined;

  constructor(settings: FirstRefreshSettings, memory: Pick<Memory, "appliedIn">) {
    this.#settings = settings;
    this.#memory = memory;
  }

  /** The address keys of resources in a plan that are newer than their documents, or may be. @throws GitError */
  async newer(
    client: Client,
    organizationId: string,
    commit: LoadedCommit,
    actions: readonly Action[],
  ): Promise<ReadonlySet<string>> {
    const open = actions.filter((action) => this.#isOpen(action));
    if (open.length === 0) return new Set();
    const declared = await this.#declaredSince(commit);
    const since = ({ address }: Action) => declared.get(addressKey(address)) ?? -Infinity;
    const there = open.filter(({ resourceId }) => resourceId !== undefined);
    const changes =
      there.length > 0
        ? await this.#changesSince(client, organizationId, Math.min(...there.map(since)))
        : undefined;
    const isNewer = (action: Action): boolean => {
      const { resourceId } = action;
      // A creation overwrites nothing: only a known deletion makes it drift.
      if (resourceId === undefined) return (this.#settings.changedAt(action) ?? 0) >= since(action) + second;
      return changes === undefined || (changes.get(resourceId) ?? 0) >= since(action) + second;
    };
    return new Set(open.filter(isNewer).map(({ address }) => addressKey(address)));
  }

  /** Whether an action changes a resource without a record of the last apply. */
  #isOpen(action: Action): boolean {
    if (!isChange(action) || (deletes(action) && !makes(action))) return false;
    return this.#memory.appliedIn(environmentOf(action.address).key) === undefined;
  }

  /** The last change of each resource since a time, by id; undefined: the events do not reach back. */
  async #changesSince(
    client: Client,
    organizationId: string,
    since: number,
  ): Promise<ReadonlyMap<string, number> | undefined> {
    const now = client.serverTime;
    const known = this.#changes;
    if (known && known.since <= since && now - known.at < longestBelief) return known.last;
    const reading = Number.isFinite(since) && unlessShort(eventsSince(client, organizationId, since));
    const { events } = (await reading) || {};
    const last = events && lastOf(events);
    this.#changes = { at: now, since, last };
    return last;
  }

  /** When each document got its present content, by address key; absent: before the history that is read. */
  async #declaredSince(commit: LoadedCommit): Promise<ReadonlyMap<string, number>> {
    if (this.#declared?.tree !== commit.tree)
      this.#declared = { tree: commit.tree, since: await declaredSince(commit, this.#settings.source) };
    return this.#declared.since;
  }
}

function lastOf(events: readonly AuditEvent[]): Map<string, number> {
  const times = events.flatMap(({ targetId, time }) =>
    targetId === undefined ? [] : [[targetId, time] as const],
  );
  return new Map(times.toSorted(([, one], [, other]) => one - other));
}

/** When each document of a commit got its content, in milliseconds since 1970. @throws GitError */
async function declaredSince(
  commit: LoadedCommit,
  source: FirstRefreshSettings["source"],
): Promise<ReadonlyMap<string, number>> {
  const { commits, isWhole } = await source.changes(commit);
  const since = new Map<string, number>();
  const open: Map<string, string> = new Map(
    [...documentDigests(commit.resources)].map(([key, { digest }]) => [key, digest]),
  );
  let newer = Math.max(...[...commits.values()].map(({ at }) => at));
  for await (const earlier of source.before(commit)) {
    const digests: Digests = documentDigests(earlier.resources);
    for (const [key, digest] of open) {
      if (digests.get(key)?.digest === digest) continue;
      since.set(key, newer);
      open.delete(key);
    }
    newer = commits.get(earlier.commit)?.at ?? newer;
  }
  if (isWhole) for (const key of open.keys()) since.set(key, newer);
  return since;
}
