import { type CycleEnd, isIll } from "../decide/index.ts";
import { capitalized } from "../../core/values/text.ts";
import type { CommitStatus, Forge } from "../../adapters/forge/index.ts";
import type { Log } from "../log.ts";
import type { Audience, CycleLine } from "../show/index.ts";

const name = "infrasync/reconcile";

/** The parts that setting commit statuses needs. */
export interface CommitStatusSettings {
  /** The forge, with the token as it is now. */
  forge(): Promise<Forge>;
  log: Pick<Log, "warn">;
  /** The address of the page with details; undefined if there is none. */
  url?: string | undefined;
}

/**
 * Sets a status on the newest commit, whenever another commit or another state is to be told. Earlier commits that wait still get
 * the state of the one that has taken their place, once that has one.
 */
export class CommitStatuses implements Audience {
  readonly #settings: CommitStatusSettings;
  #last: { commit: string; state: CommitStatus["state"] } | undefined;
  /** The earlier commits with a status that says that they wait. */
  #waiting: readonly string[] = [];
  #failure = "";

  constructor(settings: CommitStatusSettings) {
    this.#settings = settings;
  }

  checking(): void {}

  async ended(end: CycleEnd, told: CycleLine): Promise<void> {
    const state = stateOf(end);
    const { commit } = end;
    const isTold = this.#last?.commit === commit && this.#last.state === state;
    if (!state || (isTold && (state === "pending" || this.#waiting.length === 0))) return;
    const { url, log } = this.#settings;
    try {
      const forge = await this.#settings.forge();
      const description = sentence(told.message);
      // After a restart the forge knows what was told last.
      const known = this.#last ? [] : await forge.ownStatuses(commit);
      if (!isTold && !known.some((status) => status.name === name && status.state === state))
        await forge.setStatus(commit, { name, state, description, url });
      if (this.#last?.state === "pending" && this.#last.commit !== commit)
        this.#waiting = [...this.#waiting, this.#last.commit];
      this.#last = { commit, state };
      await this.#overtake(forge, commit, { name, state, description, url });
      this.#failure = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#failure) log.warn({ commit, reason }, "the commit status cannot be set");
      this.#failure = reason;
    }
  }

  /** Tells of the earlier commits that wait what has become of them. */
  async #overtake(forge: Forge, by: string, status: CommitStatus): Promise<void> {
    if (status.state === "pending") return;
    const description = `Commit ${by.slice(0, 7)} has taken its place. ${status.description}`;
    for (const commit of this.#waiting) {
      if (commit !== by) await forge.setStatus(commit, { ...status, description });
      this.#waiting = this.#waiting.filter((each) => each !== commit);
    }
  }

  /** An outage says nothing of a commit. */
  async failed(): Promise<void> {}
}

/** The status that a cycle gives its commit; undefined if it gives none. */
function stateOf(end: CycleEnd): CommitStatus["state"] | undefined {
  const state = stateOfFinding(end);
  if (state !== "success" && state !== "pending") return state;
  const { environments = [] } = end;
  const health = environments.flatMap((standing) => standing.health);
  // Whoever has rolled an environment back: there, the commit is not in force.
  const isRolledBack = environments.some(({ rolledBack }) => rolledBack);
  if (isRolledBack || health.some(isIll)) return "failure";
  const isPending =
    health.some((service) => service.health === "deploying") ||
    environments.some((standing) => standing.state === "unread");
  return isPending ? "pending" : state;
}

function stateOfFinding(end: CycleEnd): CommitStatus["state"] | undefined {
  switch (end.type) {
    case "in_step":
    case "applied":
    // What differs now was in step once: it is not the commit's fault.
    case "drift":
    case "undone":
      return "success";
    case "partly":
      return end.stopped ? "failure" : end.waiting ? "pending" : "success";
    case "unaffordable":
      return "pending";
    case "incomplete":
    case "invalid":
    case "blocked":
    case "held":
      return "failure";
    case "overtaken":
    case "interrupted":
      return undefined;
    default:
      return end satisfies never;
  }
}

function sentence(text: string): string {
  return `${capitalized(text)}.`;
}
