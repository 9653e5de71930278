/** The deletions by the sources of all workers, in their database. */
export interface StoredDeleters {
  /** The sources that have deleted things, by the ids of these. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Which source has deleted what, so that a refusal can say who has spent a limit. */
export class Deleters {
  readonly #stored: StoredDeleters | undefined;
  /** Undefined: no source has deleted it. */
  readonly #sources = new Map<string, string | undefined>();

  /** @param stored what other workers know; undefined if this process works alone */
  constructor(stored?: StoredDeleters) {
    this.#stored = stored;
  }

  /** A source is about to delete things. @param ids of what is deleted, or of what has it */
  note(source: string, ids: readonly string[]): void {
    for (const id of ids) this.#sources.set(id, source);
  }

  /** The other sources that have deleted things, by the ids of these. @param own the source that asks */
  async others(own: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.#sources.has(id));
    if (this.#stored && unknown.length > 0) {
      // A deletion is stored before it is sent, so that what is not there now will not come.
      const found = await this.#stored.of(unknown);
      for (const id of unknown) this.#sources.set(id, found.get(id));
    }
    return new Map(
      ids.flatMap((id) => {
        const source = this.#sources.get(id);
        return source === undefined || source === own ? [] : [[id, source] as const];
      }),
    );
  }
}
