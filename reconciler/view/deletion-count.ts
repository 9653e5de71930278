import type { Client } from "../../core/api/index.ts";
import { deletionsSince, type ReportedDeletion } from "../watch/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import { countedLossesOf, type Plan } from "../../core/planning/plan/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { clockTolerance, type Deletion } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import { previewNumberOf } from "../policy/index.ts";
import { unlessShort } from "./coverage.ts";
import type { ViewSettings } from "./settings.ts";

const day = 86_400_000;
/** The program of a reconciler that does not tell its source, such as one that applies once. */
const unnamed = "infrasync-reconciler";

/** Counts the deletions of the last day by all processes of infrasync, from the events of the organization. */
export class DeletionCount {
  readonly #memory: Memory;
  readonly #program: string | undefined;
  /** Whether all events until the last read are known. */
  #isWhole = false;

  /** @param program the name of this source in events; undefined: none */
  constructor(memory: Memory, program: string | undefined) {
    this.#memory = memory;
    this.#program = program;
  }

  /** Records the deletions of read events. @param deletions undefined if events are missing */
  async saw(
    deletions: readonly ReportedDeletion[] | undefined,
    clocks: Pick<Client, "serverTime">,
    now: number,
  ): Promise<void> {
    if (!deletions) this.#isWhole = false;
    else if (deletions.length > 0) await this.#report(deletions, clocks.serverTime - now, now);
  }

  /** Reads the events if a plan deletes and some may be missing. Without them, counting starts with the records. */
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
    const read = await unlessShort(
      deletionsSince(client, id, now + ahead - day).then((deletions) => ({ deletions })),
    );
    // Deletions without any known count wait.
    if (!read) return;
    const { deletions } = read;
    if (deletions) await this.#report(deletions, ahead, now);
    await this.#memory.counted(deletions ? now - day : (countedSince ?? now));
    this.#isWhole = true;
  }

  /** The deletions of this source and others, with the names of known others. */
  async named(sources: ViewSettings["others"]): Promise<readonly Deletion[]> {
    const { deletions } = this.#memory;
    const ids = deletions.flatMap(({ tree, id }) => (tree === undefined && id !== undefined ? [id] : []));
    const others = ids.length > 0 ? await sources?.deletersOf(ids) : undefined;
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
        const isEarlier = !isOthers && at < this.#memory.began + clockTolerance;
        return {
          at,
          title: `${what} ${name}`,
          id,
          event: key,
          ...(program !== undefined && { by: `${who ?? "somebody"} with ${program}` }),
          ...(isEarlier && { isEarlier: true as const }),
        };
      });
    await this.#memory.reported(counted, now);
  }
}
