/** The deletions by the sources of all workers, in their database. */
export interface StoredDeleters {
  /** The deleting sources, by the ids of the deleted resources. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The deletions of each source, so that a refusal can tell who has spent a limit. */
export class Deleters {
  readonly #stored: StoredDeleters | undefined;
  /** Undefined: no source has deleted it. */
  readonly #sources = new Map<string, string | undefined>();

  /** @param stored the facts of other workers; undefined if this process works alone */
  constructor(stored?: StoredDeleters) {
    this.#stored = stored;
  }

  /** Records the deletions that a source is about to make. @param ids of deleted resources, or of parts' owners */
  note(source: string, ids: readonly string[]): void {
    for (const id of ids) this.#sources.set(id, source);
  }

  /** The other sources that have deleted these resources, by id. @param own the asking source */
  async others(own: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.#sources.has(id));
    if (this.#stored && unknown.length > 0) {
      // A deletion is stored before it is sent, so a missing one will not appear later.
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
