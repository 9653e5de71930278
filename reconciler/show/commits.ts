import type { CommitNote } from "../../adapters/git/index.ts";
import { shorten, span } from "../../core/values/text.ts";

/** A commit on a page. */
export interface ShownCommit extends CommitNote {
  /** Its page on the Git host, if known. */
  url?: string | undefined;
}

/** Commits for a page, by id. */
export type ShownCommits = ReadonlyMap<string, ShownCommit>;

const longestSubject = 72;

/** The notes of commits, read from the copy of the repository when a page needs them, each once. */
export class KnownCommits {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommitNote>>;
  readonly #pageOf: (id: string) => string | undefined;
  readonly #known = new Map<string, ShownCommit>();

  /** @param pageOf the page of a commit on the Git host; undefined: unknown */
  constructor(
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommitNote>>,
    pageOf: (id: string) => string | undefined,
  ) {
    this.#read = read;
    this.#pageOf = pageOf;
  }

  known(id: string): ShownCommit | undefined {
    return this.#known.get(id);
  }

  /** A line for each commit: `3f2c1a9 Raise the memory of the report, anna, 20 min ago`. */
  async lines(ids: readonly string[], now: number): Promise<string[]> {
    const notes = await this.of(ids);
    return ids.map((id) => {
      const note = notes.get(id);
      const facts = note && [
        shorten(note.subject, longestSubject),
        note.author,
        `${span(now - note.at)} ago`,
      ];
      return [id.slice(0, 7), ...(facts ? [facts.join(", ")] : [])].join(" ");
    });
  }

  /** These commits, without those that the copy does not have, or cannot give now. */
  async of(ids: Iterable<string | undefined>): Promise<ShownCommits> {
    const desired = [...new Set(ids)].filter((id) => id !== undefined);
    const missing = desired.filter((id) => !this.#known.has(id));
    const read = missing.length === 0 ? [] : await this.#read(missing).catch(() => []);
    for (const [id, note] of read) this.#known.set(id, { ...note, url: this.#pageOf(id) });
    return new Map(
      desired.flatMap((id) => {
        const commit = this.#known.get(id);
        return commit ? [[id, commit] as const] : [];
      }),
    );
  }
}
