import type { CommitStatus, Forge } from "../../adapters/forge/index.ts";
import type { Log } from "../log.ts";
import { commitStateOf, type Journal } from "../journal/index.ts";
import type { Observer } from "../show/index.ts";

const name = "infrasync/reconcile";

export interface CommitStatusSettings {
  forge(): Promise<Forge>;
  log: Pick<Log, "warn">;
  journal: Pick<Journal, "current">;
}

/** Sets a status on the newest commit when it or its state changes, and then that of earlier waiting commits. */
export class CommitStatuses implements Observer {
  readonly #settings: CommitStatusSettings;
  #last: { commit: string; state: CommitStatus["state"] } | undefined;
  #waiting: readonly string[] = [];
  #failure = "";

  constructor(settings: CommitStatusSettings) {
    this.#settings = settings;
  }

  /** An outage tells nothing about a commit: only a finished cycle does. */
  async ended(): Promise<void> {
    const { log, journal } = this.#settings;
    const commitState = commitStateOf(journal.current);
    if (!commitState) return;
    const { commit, state, sentence } = commitState;
    const isReported = this.#last?.commit === commit && this.#last.state === state;
    if (isReported && (state === "pending" || this.#waiting.length === 0)) return;
    try {
      const forge = await this.#settings.forge();
      const description = `${sentence.replace(/^the /, "The ")}.`;
      // After a restart, the Git host knows the last status.
      const known = this.#last ? [] : await forge.ownStatuses(commit);
      if (!isReported && !known.some((status) => status.name === name && status.state === state))
        await forge.setStatus(commit, { name, state, description });
      if (this.#last?.state === "pending" && this.#last.commit !== commit)
        this.#waiting = [...this.#waiting, this.#last.commit];
      this.#last = { commit, state };
      await this.#overtake(forge, commit, { name, state, description });
      this.#failure = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#failure) log.warn({ commit, reason }, "the commit status cannot be set");
      this.#failure = reason;
    }
  }

  async #overtake(forge: Forge, by: string, status: CommitStatus): Promise<void> {
    if (status.state === "pending") return;
    const description = `Commit ${by.slice(0, 7)} is newer. ${status.description}`;
    for (const commit of this.#waiting) {
      if (commit !== by) await forge.setStatus(commit, { ...status, description });
      this.#waiting = this.#waiting.filter((each) => each !== commit);
    }
  }
}
