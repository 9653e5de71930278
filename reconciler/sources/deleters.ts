/** Which source of this process has deleted what, so that a refusal can say who has spent a limit. */
export class Deleters {
  readonly #sources = new Map<string, string>();

  /** A source is about to delete things. @param ids of what is deleted, or of what has it */
  note(source: string, ids: readonly string[]): void {
    for (const id of ids) this.#sources.set(id, source);
  }

  /** The source that has deleted something, by its id; undefined if nobody here has. */
  of(id: string): string | undefined {
    return this.#sources.get(id);
  }
}
