import { type Policy, withRulesBefore } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { GitError, short } from "../../adapters/git/index.ts";
import type { Memory } from "../memory/index.ts";
import { type CommitRules, commitBeyond, noRules } from "../people/index.ts";
import type { Requests } from "../requests/index.ts";
import { type CommitBefore, rulesBeforeCommit } from "./commit-rules.ts";
import type { CommitSource, LoadedCommit } from "./commits.ts";
import { withRollbacks, type WithRollbacks } from "./rollback.ts";

/** The source of commits, and their limits. */
export interface CommitSettings {
  source: CommitSource;
  policyFor(commit: LoadedCommit): Promise<{ policy: Policy; problems: Problem[] }>;
  requests: Requests;
  /** Hides the secrets of documents; with `programs`, also those for which programs are started. Default: nothing. */
  hideSecrets?(resources: LoadedCommit["resources"], programs?: boolean): Promise<void>;
  /** The operator's present limits for commits; default: none. */
  commitRules?(): Promise<CommitRules>;
}

/** A commit and its policy. */
export interface InForce {
  commit: LoadedCommit;
  /** With the rules before. */
  policy: Policy;
  /** The rules of earlier commits, which apply too. */
  before: readonly CommitBefore[];
}

/** The newest commit, and the one in force: the last known one without mistakes. */
export interface Commits {
  newest: LoadedCommit;
  mistakes: readonly Problem[];
  inForce: InForce | undefined;
  /** The error of reading the repository; the commits are older. */
  unread?: GitError;
  rollbacks: Omit<WithRollbacks, "commit">;
}

/** Reads the newest commit, and keeps the one in force between cycles. */
export class CommitsInForce {
  readonly #settings: CommitSettings;
  readonly #memory: Memory;
  #inForce: InForce | undefined;
  #before: { key: string; rules: CommitBefore[] } | undefined;
  /** Undefined: none was read. */
  newest: string | undefined;
  #last: Commits | undefined;

  constructor(settings: CommitSettings, memory: Memory) {
    this.#settings = settings;
    this.#memory = memory;
  }

  /** Reads the newest commit. While that fails, the last good one is in force. @throws GitError without a known one */
  async read(): Promise<Commits> {
    await this.#memory.read();
    try {
      this.#last = await this.#readNewest();
      return this.#last;
    } catch (error) {
      if (!(error instanceof GitError) || error.failure === "interrupted") throw error;
      const { newest, mistakes } = this.#last ?? {};
      const inForce = this.#inForce ?? (await this.#lastInForce().catch(() => undefined));
      if (!inForce) throw error;
      this.#inForce = inForce;
      return {
        newest: newest ?? inForce.commit,
        mistakes: mistakes ?? [],
        unread: error,
        ...(await this.#withRollbacks(inForce)),
      };
    }
  }

  async #readNewest(): Promise<Commits> {
    const newest = await this.#settings.source.newest();
    this.newest = newest.commit;
    await this.#settings.hideSecrets?.(newest.resources);
    const { policy, problems } = await this.#settings.policyFor(newest);
    const { limits } = (await this.#settings.commitRules?.()) ?? noRules;
    const mistakes = [...newest.problems, ...problems, ...commitBeyond(limits, newest)];
    this.#inForce =
      mistakes.length === 0
        ? await this.#withRulesBefore(newest, policy)
        : (this.#inForce ?? (await this.#lastInForce()));
    return { newest, mistakes, ...(await this.#withRollbacks(this.#inForce)) };
  }

  async #withRulesBefore(commit: LoadedCommit, policy: Policy): Promise<InForce> {
    const applied = this.#memory.wholeCommit;
    const key = `${commit.commit} ${applied?.tree}`;
    if (this.#before?.key !== key)
      this.#before = { key, rules: await rulesBeforeCommit(commit, applied, this.#settings) };
    const { rules } = this.#before;
    return { commit, policy: withRulesBefore(policy, rules), before: rules };
  }

  async #withRollbacks(inForce: InForce | undefined): Promise<Pick<Commits, "inForce" | "rollbacks">> {
    const { requests, source } = this.#settings;
    await requests.open();
    if (!inForce) return { inForce, rollbacks: { rolledBack: new Map(), over: [] } };
    const { commit, ...rollbacks } = await withRollbacks(inForce.commit, requests, source);
    if (rollbacks.rolledBack.size === 0) return { inForce, rollbacks };
    // The documents of an earlier commit lift no rule of the one that they replace.
    const { policy, commit: instead } = inForce;
    const its = { name: `the commit ${short(instead.commit)}`, policy, resources: instead.resources };
    return { inForce: { ...inForce, commit, policy: withRulesBefore(policy, [its]) }, rollbacks };
  }

  /** The commit that an earlier process has applied: the last known one without mistakes. */
  async #lastInForce(): Promise<InForce | undefined> {
    const { source, policyFor } = this.#settings;
    const applied = this.#memory.wholeCommit;
    const commit = applied && (await source.earlier(applied));
    if (!commit) return undefined;
    await this.#settings.hideSecrets?.(commit.resources);
    const { policy, problems } = await policyFor(commit);
    return commit.problems.length + problems.length === 0 ? { commit, policy, before: [] } : undefined;
  }
}
