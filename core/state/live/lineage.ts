/** Which resource is in which parent, by id. It stays known when lists are forgotten: no resource moves. */
export class Lineage {
  readonly #parents = new Map<string, string>();
  readonly #children = new Map<string, Set<string>>();

  /** Records the parent of a resource. */
  place(id: string, parentId: string): void {
    const [child, parent] = [id.toLowerCase(), parentId.toLowerCase()];
    this.#parents.set(child, parent);
    const siblings = this.#children.get(parent);
    if (siblings) siblings.add(child);
    else this.#children.set(parent, new Set([child]));
  }

  /** The id of the parent of a resource, in lower case; undefined if it is not known. */
  parentOf(id: string): string | undefined {
    return this.#parents.get(id.toLowerCase());
  }

  /** The ids of all that a resource is in, in lower case, as far as they are known. */
  above(id: string): string[] {
    const parent = this.parentOf(id);
    return parent === undefined ? [] : [parent, ...this.above(parent)];
  }

  /** The ids of all that is in a parent, all levels deep. */
  inside(id: string): string[] {
    return [...(this.#children.get(id.toLowerCase()) ?? [])].flatMap((child) => [
      child,
      ...this.inside(child),
    ]);
  }

  /** Removes a resource that no longer exists, with all that was in it. */
  remove(id: string): void {
    const key = id.toLowerCase();
    for (const child of this.#children.get(key) ?? []) this.remove(child);
    this.#children.delete(key);
    this.#children.get(this.#parents.get(key) ?? "")?.delete(key);
    this.#parents.delete(key);
  }

  /** Forgets all parents. */
  clear(): void {
    this.#parents.clear();
    this.#children.clear();
  }
}
