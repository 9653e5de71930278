import type { LiveStore } from "../../core/state/live/index.ts";
import type { ReadBudget } from "./read-budget.ts";

/** A unit of reading: the contents of a parent, or the parts of a resource. */
interface Level {
  id: string;
  /** The last read, in milliseconds since 1970. */
  read: number;
  cost: number;
}

/** Chooses the levels to read again: those read before `doubted` first, then the oldest in turn. @param credit the requests for turns */
export function chooseTurns(
  levels: readonly Level[],
  { doubted, unknown, credit }: { doubted: number; unknown: number; credit: number },
) {
  const oldestFirst = levels.toSorted((left, right) => left.read - right.read);
  const suspects = within(
    oldestFirst.filter(({ read }) => read < doubted),
    unknown,
  );
  const inTurn = within(
    oldestFirst.filter(({ read }) => read >= doubted),
    Math.min(credit, unknown - costOf(suspects)),
  );
  return { ids: [...suspects, ...inTurn].map(({ id }) => id), credit: credit - costOf(inTurn) };
}

/** The first levels for which these requests suffice. */
function within(levels: readonly Level[], requests: number): Level[] {
  // The credit for turns grows by fractions.
  let left = requests + 1e-6;
  const end = levels.findIndex(({ cost }) => (left -= cost) < 0);
  return end === -1 ? [...levels] : levels.slice(0, end);
}

function costOf(levels: readonly Pick<Level, "cost">[]): number {
  return levels.reduce((sum, { cost }) => sum + cost, 0);
}

/** The key of the organization's lists on demand, and of the defaults of parts. */
const beside = "beside";

/** Reads everything again in turn, spread evenly over a period, and knows the age of each level. */
export class Rotation {
  /** The last read of each level, by id. */
  readonly #read = new Map<string, number>();
  /** The levels that are being read again. */
  #forgotten = new Set<string>();
  #credit = 0;
  #last: number | undefined;
  /** Levels that were read before this time may have changed. */
  #doubted = -Infinity;

  /** All known state may have changed. */
  doubt(now: number): void {
    this.#doubted = now;
  }

  restart(now: number): void {
    this.#read.clear();
    this.#doubted = -Infinity;
    this.#credit = 0;
    this.#last = now;
  }

  /** Makes a store forget the levels that may have changed or have their turn. Returns the requests for reading them again. */
  forgetDue(
    live: LiveStore,
    organizationId: string,
    {
      now,
      usual,
      unknown,
      pace,
    }: Pick<ReadBudget, "unknown" | "pace"> & {
      now: number;
      /** Milliseconds within which everything is read again if the share suffices. */
      usual: number;
    },
  ): number {
    const levels = this.#levels(live, organizationId);
    const whole = costOf(levels);
    const passed = Math.max(0, now - (this.#last ?? now));
    // The clock may have been set back.
    for (const [id, read] of this.#read) if (read > now) this.#read.set(id, now);
    this.#last = now;
    this.#credit = Math.min(this.#credit + passed * Math.min(pace, whole / usual), unknown, whole);
    const { ids, credit } = chooseTurns(levels, { doubted: this.#doubted, unknown, credit: this.#credit });
    this.#credit = credit;
    this.#forgotten = new Set(ids);
    for (const id of ids)
      if (id === beside) {
        live.contents.forgetLists(organizationId);
        live.defaults.forgetAll();
      } else live.forgetOwn(id);
    return costOf(levels.filter(({ id }) => this.#forgotten.has(id)));
  }

  /** A refresh has ended: levels that were forgotten and are known again have been read. @param now its start */
  looked(live: LiveStore, organizationId: string, now: number): void {
    const there = new Set(this.#levels(live, organizationId).map(({ id }) => id));
    for (const id of this.#read.keys()) if (!there.has(id)) this.#read.delete(id);
    for (const id of there) if (this.#forgotten.has(id) || !this.#read.has(id)) this.#read.set(id, now);
    this.#forgotten.clear();
  }

  /** The requests for reading all known state again. */
  wholeCost(live: LiveStore, organizationId: string): number {
    return costOf(this.#levels(live, organizationId));
  }

  /** The time of the oldest read of a parent and its contents; undefined: nothing of the parent is known. */
  knownSince(live: LiveStore, parentId: string): number | undefined {
    const inside = live.known().contents.get(parentId)?.resources ?? [];
    const times = [parentId, ...inside.map(({ id }) => id)].flatMap(
      (id) => this.#read.get(id.toLowerCase()) ?? [],
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #levels(live: LiveStore, organizationId: string): Level[] {
    const { lists, defaults } = live.known();
    const others = lists.size + defaults.size;
    return [
      ...[...live.costs()].filter(([id]) => id !== organizationId.toLowerCase()),
      ...(others > 0 ? [[beside, others] as const] : []),
    ].map(([id, cost]) => ({ id, cost, read: this.#read.get(id) ?? this.#last ?? -Infinity }));
  }
}
