import { idIn, type ListPage } from "./list-page.ts";
import type { RunPages } from "./run-pages.ts";
import { operationOf, type ServerPages } from "./server-pages.ts";
import { type Evidence, isUsualCut, type PageQuery, unlessUnable, type Witness } from "./witness.ts";

export interface PagedList {
  getPage(query: PageQuery): Promise<unknown>;
  /** The error for an unusable answer. */
  unexpected(what: string, advice?: string): Error;
  path: string;
  /** The path with the query of the list. */
  key: string;
  server: ServerPages;
  run: RunPages;
  /** Whether a cut one makes no double, as of variables, or of resources that are only referred to. */
  isHarmless: boolean;
  /** How many elements the parent has, as its own list has just shown; undefined: unknown. */
  expected: number | undefined;
  /** Whether the caller waits for its elements: an empty one is no proof for it. */
  mayLag: boolean;
  /** Asked one after the other until one proves something. */
  witnesses: readonly Witness[];
}

/** What other operations, and other lists of the run, show of a list. */
export class ListEvidence {
  readonly #list: PagedList;
  /** What they show that contradicts the list. */
  doubt: string | undefined;

  constructor(list: PagedList) {
    this.#list = list;
  }

  /** What the run has seen of the operation. */
  get seen(): ReturnType<RunPages["of"]> {
    return this.#list.run.of(operationOf(this.#list.path));
  }

  compare({ results: { length }, pagination }: ListPage) {
    return this.#list.run.compare(length, pagination !== undefined, (witness) =>
      this.#evidence(witness, length),
    );
  }

  /** Nothing where the server lacks the other operation, or refuses it. */
  async #evidence({ read }: Witness, length: number): Promise<Evidence> {
    const [size] = this.#list.server.known.sizes;
    const first = size === undefined || !this.#list.server.hasShown ? {} : { page: 1, page_size: size };
    return (await read({ length, first, once: this.#list.run.once }).catch(unlessUnable)) ?? {};
  }

  /** Compares a list with what other operations show of it: just the same, something else, a part of it, or nothing. */
  async ask(
    witnesses: readonly Witness[],
    results: unknown[],
    what: string,
  ): Promise<"same" | "others" | "part" | undefined> {
    const shown = new Set(results.flatMap((each) => idIn(each)?.toLowerCase() ?? []));
    let isPart = false;
    for (const witness of witnesses) {
      const { ids = [], count } = await this.#evidence(witness, results.length);
      if ((count ?? 0) > results.length || ids.some((id) => !shown.has(id.toLowerCase()))) {
        this.doubt = `${what}: GET ${witness.path} shows others`;
        return "others";
      }
      if (count === results.length) return "same";
      isPart ||= ids.length > 0;
    }
    return isPart ? "part" : undefined;
  }

  /** Whether a list may be cut to its length. @param isPart whether another operation shows elements of it */
  async mayBeCut(first: ListPage, isPart: boolean): Promise<boolean> {
    const { length } = first.results;
    const isUsual = isUsualCut(length);
    const comparison = await this.compare(first);
    if (comparison === "no other is known") return isUsual;
    if (comparison === "another is as long") return isUsual || !isPart;
    // The server may cut lists of this operation alone.
    const isLongest = (this.seen.whole?.length ?? 0) <= length;
    return isUsual && isLongest && !isPart && !this.#list.isHarmless;
  }
}
