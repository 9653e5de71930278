import { isDeepStrictEqual } from "node:util";
import type { Report } from "../../core/execution/execute/index.ts";
import { openStored, store } from "../../core/files/stored-form.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { type Address, addressKey } from "../../core/model/addresses/address.ts";
import { type Action, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { own } from "../../core/values/json.ts";
import {
  type AppliedDocuments,
  type Deletion,
  type Digests,
  type Failures,
  isWhole,
  type OwnResources,
  recentDeletions,
  type ReportedEvent,
  type Rollout,
  type EnvironmentCommit,
  type Undone,
  undoneTo,
  withStarted,
  withDone,
  withReported,
  withRetries,
  withUndone,
} from "../decide/index.ts";
import { environmentOf } from "../policy/index.ts";
import { withApplied, withEntries, withOutcomes } from "./inventory.ts";
import { type SecretRecord, type SeenSecret, toWriteAgain, withSeen, withWritten } from "./secrets.ts";
import { type AppliedCommit, type ReconcilerState, stateForm } from "./state.ts";

/** A commit, and the id of its folder of manifests: the same as long as its files are the same. */
export type ManifestCommit = Pick<EnvironmentCommit, "commit" | "tree">;

const mostCommits = 20;

/** The reconciler's memory of its work, in memory and in a file. A method for each thing that happens writes it. */
export class Memory {
  readonly #file: string | undefined;
  #state: ReconcilerState = {};
  #isRead = false;

  /** @param file undefined means that it remembers only as long as the process runs */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Reads the file, once. Returns the report of a damage: then nothing is known, as of one that is missing. */
  async read(): Promise<string | undefined> {
    if (this.#isRead) return undefined;
    const unknown = "the applied commits are unknown, and nothing is deleted because of them";
    const read = this.#file === undefined ? undefined : await openStored(stateForm, this.#file, unknown);
    this.#state = read?.content ?? {};
    this.#isRead = true;
    return read?.damage;
  }

  /** Whether a commit with the same manifests is applied as a whole, and nothing of another one since. */
  isApplied({ tree }: Pick<ManifestCommit, "tree">): boolean {
    return this.wholeCommit?.tree === tree && Object.values(this.documents).every(isWhole);
  }

  get documents(): AppliedDocuments {
    return this.#state.documents ?? {};
  }

  get inventory(): OwnResources {
    return this.#state.inventory ?? {};
  }

  /** The commit that is applied in an environment, as far as it is known. */
  appliedIn(key: string): string | undefined {
    const { partly } = this.#state;
    return (partly?.done.includes(key) ? partly.commit : undefined) ?? this.wholeCommit?.commit;
  }

  get wholeCommit(): ManifestCommit | undefined {
    return this.#state.applied;
  }

  /** The commits that were applied in an environment, the newest first; those with the same manifests are one. */
  appliedCommitsIn(key: string): AppliedCommit[] {
    const { appliedCommits = [] } = this.#state;
    const all = appliedCommits.filter(({ environments: at }) => at === "all" || at.includes(key));
    return [...new Map(all.map((each) => [each.tree, each])).values()].toReversed();
  }

  /** The commits that were applied, as a whole or in part. */
  commits(): string[] {
    return [this.wholeCommit?.commit, this.#state.partly?.commit].filter((commit) => commit !== undefined);
  }

  /** The fields of live resources that were set back to what these documents say. */
  undoneTo(documents: Digests): Readonly<Record<string, Undone>> {
    return undoneTo(this.#state.undone ?? {}, documents);
  }

  get deletions(): readonly Deletion[] {
    return this.#state.deletions ?? [];
  }

  /** When the memory began; this source may have made earlier deletions. */
  get began(): number {
    return this.#state.began ?? Infinity;
  }

  /** The time since which the list is complete; undefined if unknown, because the file is new or was damaged. */
  get countedSince(): number | undefined {
    return this.#state.countedSince;
  }

  /** Since when an environment has been synced and healthy with documents of that digest; undefined if it is not. */
  healthySince(key: string, digest: string): number | undefined {
    const known = own(this.#state.healthy ?? {}, key);
    return known?.digest === digest ? known.since : undefined;
  }

  rolloutIn(key: string): Rollout | undefined {
    return own(this.#state.rollouts ?? {}, key);
  }

  /** The id of the resource that a document of that address declared in the last plan, as far as that is known. */
  idOf(address: Address): string | undefined {
    return own(this.#state.identities ?? {}, addressKey(address));
  }

  secretsToWrite(seen: readonly SeenSecret[]): ReturnType<typeof toWriteAgain> {
    return toWriteAgain(this.#state.secrets ?? {}, seen);
  }

  /** The organization in which the service works from now on: the state of another one says nothing about it. */
  async inOrganization(id: string, now: number): Promise<void> {
    const isSame = (this.#state.organization ?? id) === id;
    await this.#become({ began: now, ...(isSame && this.#state), organization: id });
  }

  /** Notes the resources that a plan of everything found. Others keep their ids, so that one is known again after a person has renamed it. */
  async planned(resources: readonly Pick<DesiredResource, "address">[], { actions }: Plan): Promise<void> {
    const there = actions.filter(({ resourceId }) => resourceId !== undefined);
    const found = new Map(there.map(({ address, resourceId }) => [addressKey(address), resourceId]));
    const identities = resources.flatMap(({ address }): [string, string][] => {
      const id = found.get(addressKey(address)) ?? this.idOf(address);
      return id === undefined ? [] : [[addressKey(address), id]];
    });
    await this.#note({ identities: Object.fromEntries(identities) });
  }

  /** A plan is decided. @param written where the commit is written @param retried services to deploy again @param open the documents that it applies, as far as they are applied before */
  async starts(
    written: readonly { key: string; digest: string }[],
    retried: readonly { key: string; addresses: readonly string[] }[],
    open: AppliedDocuments,
    now: number,
  ): Promise<void> {
    const started = this.#rollouts(written, ({ digest }, { started: before, ...rest }) => ({
      ...rest,
      started: before?.digest === digest ? before : { digest, at: now },
    }));
    const rollouts = this.#rollouts(
      retried,
      ({ addresses }, rollout) => ({ ...rollout, failures: withRetries(rollout.failures, addresses) }),
      started,
    );
    await this.#note({ ...(rollouts && { rollouts }), documents: { ...this.documents, ...open } });
  }

  /** A plan is about to be carried out: a kill forgets none of its deletions, and what it writes is no longer that of a partly applied commit. */
  async begins({ tree }: ManifestCommit, plan: Plan, now: number): Promise<void> {
    const deletions = withStarted(plan, { tree, deletions: this.deletions }, now);
    const { partly } = this.#state;
    const written = new Set(plan.actions.filter(isChange).map(({ address }) => environmentOf(address).key));
    await this.#note({
      ...(deletions.length > 0 && { deletions }),
      ...(partly &&
        partly.tree !== tree && {
          partly: { ...partly, done: partly.done.filter((key) => !written.has(key)) },
        }),
    });
  }

  /** A plan was carried out. @param documents those that it was made of */
  async ended({ tree }: ManifestCommit, documents: Digests, plan: Plan, report: Report): Promise<void> {
    const done = new Set(report.outcomes.flatMap(({ status, id }) => (status === "done" ? [id] : [])));
    const { deletions } = this;
    await this.#note({
      documents: withApplied(this.documents, documents, plan, done),
      inventory: withOutcomes(this.inventory, documents, plan, report),
      ...(deletions.length > 0 && { deletions: withDone(plan, done, { tree, deletions }) }),
    });
  }

  /** From when on the deletions are known. */
  async counted(since: number): Promise<void> {
    await this.#note({ countedSince: Math.min(since, this.countedSince ?? Infinity) });
  }

  /** Deletions by any process, from the events of the organization. */
  async reported(deletions: readonly ReportedEvent[], now: number): Promise<void> {
    const all = withReported(recentDeletions(this.deletions, now), recentDeletions(deletions, now));
    if (all.length > 0) await this.#note({ deletions: all });
  }

  /** Secrets were written by a plan that was carried out, as far as nothing waits for the server. */
  async wrote(secrets: readonly SecretRecord[]): Promise<void> {
    if (secrets.length > 0) await this.#note({ secrets: withWritten(this.#state.secrets ?? {}, secrets) });
  }

  async saw(
    resources: readonly Pick<DesiredResource, "address">[],
    seen: readonly SeenSecret[],
  ): Promise<void> {
    const owners = new Set(resources.map(({ address }) => addressKey(address)));
    const secrets = withSeen(this.#state.secrets ?? {}, seen, owners);
    if (Object.keys(secrets).length > 0) await this.#note({ secrets });
  }

  async revert(documents: Digests, actions: readonly Action[], now: number): Promise<void> {
    await this.#note({ undone: withUndone(this.#state.undone ?? {}, actions, documents, now) });
  }

  /** These environments are synced and healthy, and no others. @param environments `rolledBack`: with documents that are not those of the commit */
  async healthyNow(
    { commit, tree }: ManifestCommit,
    environments: readonly { key: string; digest: string; rolledBack?: unknown }[],
    now: number,
  ): Promise<void> {
    const rollouts = this.#rollouts(
      environments.filter(({ rolledBack }) => !rolledBack),
      ({ digest }, { givenUp: _over, ...rollout }) => ({ ...rollout, healthy: { digest, commit, tree } }),
    );
    const healthy = environments.map(
      ({ key, digest }) => [key, { digest, since: this.healthySince(key, digest) ?? now }] as const,
    );
    await this.#note({ ...(rollouts && { rollouts }), healthy: Object.fromEntries(healthy) });
  }

  async failed(environments: readonly { key: string; failures: Failures | undefined }[]): Promise<void> {
    const rollouts = this.#rollouts(
      environments.filter(({ key, failures }) => failures ?? this.rolloutIn(key)?.failures),
      ({ failures }, { failures: _before, ...rest }) => ({ ...rest, ...(failures && { failures }) }),
    );
    if (rollouts) await this.#note({ rollouts });
  }

  /** These documents of an environment are rolled back, because a deployment has failed. */
  async gaveUp(environment: { key: string; digest: string }): Promise<void> {
    const rollouts = this.#rollouts([environment], (each, before) => ({ ...before, givenUp: each.digest }));
    if (rollouts) await this.#note({ rollouts });
  }

  /** The documents that are applied now, in all environments. @param inventory the live resources that they describe */
  async compared(documents: AppliedDocuments, inventory: OwnResources): Promise<void> {
    await this.#note({ documents, inventory: withEntries(this.inventory, inventory) });
  }

  /** A commit is applied as a whole, or in these environments, by their keys. One that was applied further keeps its place. */
  async applied(
    { commit, tree }: ManifestCommit,
    given: "all" | ReadonlySet<string>,
    now: number,
  ): Promise<void> {
    const environments = given === "all" ? given : [...given];
    const { appliedCommits = [], partly: _partly, ...rest } = this.#state;
    const last = appliedCommits.at(-1);
    const isLast = last?.commit === commit && last.tree === tree;
    const applied: AppliedCommit = { commit, tree, environments, at: isLast ? last.at : now };
    const isKnown =
      isLast && (last.environments === "all" || isDeepStrictEqual(last.environments, environments));
    const all = isKnown
      ? appliedCommits
      : [...(isLast ? appliedCommits.slice(0, -1) : appliedCommits), applied].slice(-mostCommits);
    if (environments !== "all")
      await this.#note({ appliedCommits: all, partly: { commit, tree, done: environments } });
    // The applied documents of earlier commits are not needed any more.
    else await this.#become({ ...rest, appliedCommits: all, applied: { commit, tree } });
  }

  /** The commits that came to environments, after a change of some of them; undefined: nothing changes. */
  #rollouts<Environment extends { key: string }>(
    environments: readonly Environment[],
    change: (environment: Environment, before: Rollout) => Rollout,
    rollouts = this.#state.rollouts,
  ): ReconcilerState["rollouts"] {
    if (environments.length === 0) return rollouts;
    const changed = environments.map(
      (each) => [each.key, change(each, own(rollouts ?? {}, each.key) ?? {})] as const,
    );
    return { ...rollouts, ...Object.fromEntries(changed) };
  }

  async #note(change: Partial<ReconcilerState>): Promise<void> {
    await this.#become({ ...this.#state, ...change });
  }

  async #become(state: ReconcilerState): Promise<void> {
    if (isDeepStrictEqual(state, this.#state)) return;
    this.#state = state;
    if (this.#file !== undefined) await store(this.#file, state);
  }
}
