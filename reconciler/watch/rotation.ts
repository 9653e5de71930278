import type { LiveStore } from "../../core/live/index.ts";

/** The key of the lists of the organization that are read on demand only, and of the defaults of parts. */
const beside = "beside";

/** Says whose turn it is to be read again, so that each has one within a period, spread evenly over it. */
export class Rotation {
  /** When each has its turn, by id. */
  readonly #due = new Map<string, number>();

  /** Everything has been read just now. */
  restart(): void {
    this.#due.clear();
  }

  /**
   * Makes a store forget what has its turn: the lists and parts of a parent, and the parts of what it contains.
   *
   * @param organizationId the organization itself, which audits read
   * @param now milliseconds since 1970
   * @param period milliseconds within which each has a turn
   */
  forgetDue(live: LiveStore, organizationId: string, now: number, period: number): void {
    const { contents, lists, defaults } = live.known();
    const others = lists.size + defaults.size > 0 ? [beside] : [];
    const parents = [...contents.keys()].filter((id) => id !== organizationId);
    for (const id of this.#turns([...parents, ...others], now, period)) {
      if (id === beside) {
        live.forgetLists(organizationId);
        live.forgetDefaults();
      }
      // What a parent contains may be a parent with a turn of its own.
      const inside = (contents.get(id)?.resources ?? []).filter((resource) => !contents.has(resource.id));
      for (const each of [id, ...inside.map((resource) => resource.id)]) live.forgetOwn(each);
    }
  }

  #turns(ids: readonly string[], now: number, period: number): string[] {
    const there = new Set(ids);
    for (const id of this.#due.keys()) if (!there.has(id)) this.#due.delete(id);
    const added = ids.filter((id) => !this.#due.has(id));
    for (const [index, id] of added.entries()) this.#due.set(id, now + (period * (index + 1)) / added.length);
    const turns = ids.filter((id) => (this.#due.get(id) ?? 0) <= now);
    for (const id of turns) this.#due.set(id, now + period);
    return turns;
  }
}
