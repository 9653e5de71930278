import { type Client, QuotaError } from "../../core/api/index.ts";
import { deletionsSince, type ReportedDeletion } from "../../core/state/events/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import { countedLossesOf, type Plan } from "../../core/planning/plan/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import type { Deletion } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { previewNumberOf } from "../policy/index.ts";
import type { ViewSettings } from "./settings.ts";

const day = 86_400_000;
/** The program of a reconciler that does not say which source it is of, such as one that applies once. */
const unnamed = "infrasync-reconciler";
/** The clocks of the server and of this machine may differ by so much, in milliseconds. */
const tolerance = 60_000;

/** Counts what was deleted in the last day by whatever process of infrasync, as the events of the organization tell it. */
export class DeletionCount {
  readonly #memory: Pick<Memory, "remember" | "countedSince" | "began" | "deletions">;
  readonly #program: string | undefined;
  /** Whether all events since they were asked last have been seen. */
  #isWhole = false;

  /** @param program the name of this source in events; undefined: it has none of its own */
  constructor(
    memory: Pick<Memory, "remember" | "countedSince" | "began" | "deletions">,
    program: string | undefined,
  ) {
    this.#memory = memory;
    this.#program = program;
  }

  /** Takes in what a look at the events has found. @param deletions undefined if events are missing */
  async saw(
    deletions: readonly ReportedDeletion[] | undefined,
    clocks: Pick<Client, "serverTime">,
    now: number,
  ): Promise<void> {
    if (!deletions) this.#isWhole = false;
    else if (deletions.length > 0) await this.#report(deletions, clocks.serverTime - now, now);
  }

  /**
   * Asks the events, if something is to be deleted and some of them may not have been seen. Where they do not say it, what
   * is known begins with the memory.
   */
  async ask(
    start: () => Pick<Run, "client">,
    { id }: Organization,
    plan: Pick<Plan, "actions">,
    now: number,
  ): Promise<void> {
    const { countedSince } = this.#memory;
    if ((this.#isWhole && countedSince !== undefined) || countedLossesOf(plan).length === 0) return;
    const { client } = start();
    const ahead = client.serverTime - now;
    try {
      const deletions = await deletionsSince(client, id, now + ahead - day);
      if (deletions) await this.#report(deletions, ahead, now);
      const since = deletions ? now - day : (countedSince ?? now);
      await this.#memory.remember({ type: "counted", since });
      this.#isWhole = true;
    } catch (error) {
      // The share of the quota is spent: deletions wait where nobody knows anything.
      if (!(error instanceof QuotaError)) throw error;
    }
  }

  /** The deletions of this source and others, with the names of the others as far as they are known. */
  async named(deleters: ViewSettings["deleters"]): Promise<readonly Deletion[]> {
    const { deletions } = this.#memory;
    const ids = deletions.flatMap(({ tree, id }) => (tree === undefined && id !== undefined ? [id] : []));
    const others = ids.length > 0 ? await deleters?.(ids) : undefined;
    return deletions.map((deletion) => {
      const source = deletion.tree === undefined ? others?.get(deletion.id ?? "") : undefined;
      return source === undefined ? deletion : { ...deletion, source };
    });
  }

  /** Previews come and go with their pull requests, and do not count. */
  async #report(deletions: readonly ReportedDeletion[], ahead: number, now: number): Promise<void> {
    const previews = new Set(
      deletions.flatMap(({ id, what, name }) =>
        what === "environment" && previewNumberOf(name) !== undefined ? [id] : [],
      ),
    );
    const counted = deletions
      .filter(({ id, environmentId = id }) => !previews.has(environmentId))
      .map(({ key, id, what, name, time, program, who }) => {
        const at = Math.min(now, time - ahead);
        const isOthers = program !== undefined && program !== this.#program && program !== unnamed;
        const isEarlier = !isOthers && at < this.#memory.began + tolerance;
        return {
          at,
          title: `${what} ${name}`,
          id,
          event: key,
          ...(program !== undefined && { by: `${who ?? "somebody"} with ${program}` }),
          ...(isEarlier && { isEarlier: true as const }),
        };
      });
    await this.#memory.remember({ type: "reported", deletions: counted, now });
  }
}
