import { isDeepStrictEqual } from "node:util";
import type { Address } from "../../core/address.ts";
import type { Desired } from "../../core/manifest/index.ts";
import type { Plan } from "../../core/plan/index.ts";
import type { Deletion } from "../decide/deletions.ts";
import { idIn, withIdentities } from "./identities.ts";
import { type ReconcilerState, readState, type Undone, writeState } from "./state.ts";
import type { LoadedCommit } from "../view/commits.ts";

type Known = Pick<LoadedCommit, "commit" | "tree">;

/** What a reconciler remembers of the commits that it has applied, in memory and in a file. */
export class Memory {
  readonly #file: string;
  /** Undefined: not read yet. */
  #state: ReconcilerState | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the file, once. */
  async read(): Promise<void> {
    this.#state ??= await readState(this.#file);
  }

  /** Whether a commit with the same manifests is applied as a whole. */
  isApplied({ tree }: Known): boolean {
    return this.#state?.applied?.tree === tree;
  }

  /** The shares that are in step with a commit that is not applied as a whole, by their keys. */
  doneOf({ tree }: Known): ReadonlySet<string> {
    const { partly } = this.#state ?? {};
    return new Set(partly?.tree === tree ? partly.done : []);
  }

  /** The commit that is applied in a share, as far as it is known. */
  appliedIn(key: string): string | undefined {
    const { applied, partly } = this.#state ?? {};
    return (partly?.done.includes(key) ? partly.commit : undefined) ?? applied?.commit;
  }

  /** The commit that was applied last as a whole. */
  get wholeCommit(): Known | undefined {
    return this.#state?.applied;
  }

  /** The commits that were applied, as a whole or in part. */
  commits(): string[] {
    const { applied, partly } = this.#state ?? {};
    return [applied?.commit, partly?.commit].filter((commit) => commit !== undefined);
  }

  /** The fields of live resources that were set back to what a commit says. */
  undoneFor({ tree }: Known): Readonly<Record<string, Undone>> {
    const { undone } = this.#state ?? {};
    return undone?.tree === tree ? undone.fields : {};
  }

  /** A commit is applied as a whole. */
  async applied({ commit, tree }: Known): Promise<void> {
    if (this.#state?.applied?.commit === commit) return;
    // What was applied of earlier commits is of no use any more.
    const { partly: _partly, ...state } = this.#state ?? {};
    this.#state = state;
    await this.#keep({ applied: { commit, tree } });
  }

  /** A commit is applied in these shares. */
  async appliedInPart({ commit, tree }: Known, done: ReadonlySet<string>): Promise<void> {
    await this.#keep({ partly: { commit, tree, done: [...done] } });
  }

  /** Drift was undone. */
  async undone({ tree }: Known, fields: Readonly<Record<string, Undone>>): Promise<void> {
    await this.#keep({ undone: { tree, fields } });
  }

  /** What was deleted or replaced in the last day. */
  get deletions(): readonly Deletion[] {
    return this.#state?.deletions ?? [];
  }

  async keepDeletions(deletions: readonly Deletion[]): Promise<void> {
    await this.#keep({ deletions });
  }

  /** The id of the resource that a document of that address described, as far as that is known. */
  idOf(address: Address): string | undefined {
    return idIn(this.#state?.identities ?? {}, address);
  }

  /** A plan has shown which live resources the documents mean. */
  async identified(resources: readonly Desired[], plan: Plan): Promise<void> {
    const before = this.#state?.identities ?? {};
    const identities = withIdentities(before, resources, plan);
    if (!isDeepStrictEqual(identities, before)) await this.#keep({ identities });
  }

  async #keep(news: ReconcilerState): Promise<void> {
    this.#state = { ...this.#state, ...news };
    await writeState(this.#file, this.#state);
  }
}
