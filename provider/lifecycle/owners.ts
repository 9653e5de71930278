/** Which resource of a program has what only one can have: a name that belongs to one resource of an organization, such as a custom domain. */
export class Owners {
  readonly #owners = new Map<string, string>();

  /** Notes that a resource has a name, unless another one has it; the one that has it then. */
  claim(name: string, owner: string): string {
    const first = this.#owners.get(name) ?? owner;
    this.#owners.set(name, first);
    return first;
  }
}
