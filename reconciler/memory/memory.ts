import { isDeepStrictEqual } from "node:util";
import { type Address, addressKey } from "../../core/model/addresses/address.ts";
import { own } from "../../core/values/json.ts";
import {
  type AppliedDocuments,
  type Deletion,
  type DocumentMarks,
  type OwnResources,
  type Rollout,
  type Undone,
  undoneTo,
} from "../decide/index.ts";
import { after, healthySinceIn, type ManifestCommit, type MemoryEvent } from "./memory-event.ts";
import { type SeenSecret, toWriteAgain } from "./secrets.ts";
import { readStoredFile, store } from "../../core/files/stored-form.ts";
import { type AppliedCommit, type ReconcilerState, stateForm } from "./state.ts";

/** The reconciler's memory of its work, in memory and in a file. */
export class Memory {
  readonly #file: string | undefined;
  /** Undefined means not read yet. */
  #state: ReconcilerState | undefined;

  /** @param file undefined means that it remembers only as long as the process runs */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Reads the file, once. Gives where it is damaged: then nothing is known, as of one that is missing. */
  async read(): Promise<string | undefined> {
    if (this.#state) return undefined;
    const read = this.#file === undefined ? undefined : await readStoredFile(stateForm, this.#file);
    this.#state = read?.content ?? {};
    return read?.damage;
  }

  /** Whether a commit with the same manifests is applied as a whole, and nothing of another one since. */
  isApplied({ tree }: ManifestCommit): boolean {
    const { applied, documents = {} } = this.#state ?? {};
    return applied?.tree === tree && Object.values(documents).every((digest) => digest !== "");
  }

  /** The documents that were applied last; undefined if nothing was applied. */
  get documents(): AppliedDocuments | undefined {
    return this.#state?.documents;
  }

  /** The live resources that were applied; undefined if nothing was applied. */
  get inventory(): OwnResources | undefined {
    return this.#state?.inventory;
  }

  /** The live resources of the documents in the last plan, by the keys of their addresses. */
  get identities(): Readonly<Record<string, string>> {
    return this.#state?.identities ?? {};
  }

  /** The commit that is applied in a share, as far as it is known. */
  appliedIn(key: string): string | undefined {
    const { applied, partly } = this.#state ?? {};
    return (partly?.done.includes(key) ? partly.commit : undefined) ?? applied?.commit;
  }

  /** The commit that was applied last as a whole. */
  get wholeCommit(): ManifestCommit | undefined {
    return this.#state?.applied;
  }

  /** The commits that were applied in a share, the newest first; those with the same manifests are one. */
  appliedCommitsIn(key: string): AppliedCommit[] {
    const all = (this.#state?.appliedCommits ?? []).filter(
      ({ shares }) => shares === "all" || shares.includes(key),
    );
    return [...new Map(all.map((each) => [each.tree, each])).values()].toReversed();
  }

  /** The commits that were applied, as a whole or in part. */
  commits(): string[] {
    const { applied, partly } = this.#state ?? {};
    return [applied?.commit, partly?.commit].filter((commit) => commit !== undefined);
  }

  /** The fields of live resources that were set back to what these documents say. */
  undoneTo(documents: DocumentMarks): Readonly<Record<string, Undone>> {
    return undoneTo(this.#state?.undone ?? {}, documents);
  }

  /** The deletions and replacements of the last day. */
  get deletions(): readonly Deletion[] {
    return this.#state?.deletions ?? [];
  }

  /** When the memory began; what was deleted before may be the work of this source. */
  get began(): number {
    return this.#state?.began ?? Infinity;
  }

  /** The time since which the list is complete; undefined if unknown, because the file is new or was damaged. */
  get countedSince(): number | undefined {
    return this.#state?.countedSince;
  }

  /** Since when a share has been in step and healthy with documents of that digest; undefined if it is not. */
  healthySince(key: string, digest: string): number | undefined {
    return healthySinceIn(this.#state ?? {}, key, digest);
  }

  /** The commits that came to a share. */
  rolloutIn(key: string): Rollout | undefined {
    return own(this.#state?.rollouts ?? {}, key);
  }

  /** The id of the resource that a document of that address described, as far as that is known. */
  idOf(address: Address): string | undefined {
    return own(this.#state?.identities ?? {}, addressKey(address));
  }

  /** Of secrets that were seen, those that somebody else has written, and those whose values come from elsewhere now. */
  secretsToWrite(seen: readonly SeenSecret[]): SeenSecret[] {
    return toWriteAgain(this.#state?.secrets ?? {}, seen);
  }

  /** The only way into the memory. */
  async remember(news: MemoryEvent): Promise<void> {
    const before = this.#state ?? {};
    const state = after(before, news);
    if (isDeepStrictEqual(state, before)) return;
    this.#state = state;
    if (this.#file !== undefined) await store(this.#file, state);
  }
}
